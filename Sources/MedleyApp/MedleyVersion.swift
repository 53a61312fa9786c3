/// The version of the program, that of `openapi.yaml` too.
package let medleyVersion = "0.1.0"
