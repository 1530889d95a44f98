//go:build tools

// Package build keeps the commands that are built here through `go mod tidy`.
package build

import (
	_ "go.etcd.io/etcd/etcdctl/v3"
	_ "go.etcd.io/etcd/etcdutl/v3"
	_ "go.etcd.io/etcd/server/v3"
)
