print("medley")
