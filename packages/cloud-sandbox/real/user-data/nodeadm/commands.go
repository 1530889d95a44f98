//go:build tools

// Package build keeps the command that is built here through `go mod tidy`.
package build

import _ "github.com/awslabs/amazon-eks-ami/nodeadm/cmd/nodeadm"
