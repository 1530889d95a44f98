package main

import (
	_ "unsafe" // For go:linkname.

	"sigs.k8s.io/aws-iam-authenticator/pkg/config"
	"sigs.k8s.io/aws-iam-authenticator/pkg/mapper/configmap"
)

// saveMap is the unexported method by which the watch of the ConfigMap keeps what was read.
//
//go:linkname saveMap sigs.k8s.io/aws-iam-authenticator/pkg/mapper/configmap.(*MapStore).saveMap
func saveMap(store *configmap.MapStore, users []config.UserMapping, roles []config.RoleMapping, accounts []string)
