//go:build tools

// Package build keeps the command that is built here through `go mod tidy`.
package build

import _ "sigs.k8s.io/aws-iam-authenticator/cmd/aws-iam-authenticator"
