import { defaultBindings, defaultClusterRoles } from './authz/default-roles.ts';
import type { Context } from './registry/context.ts';
import { createObject } from './registry/create.ts';
import { definitionOf } from './resources/definitions.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** What a cluster holds when it is born: namespaces, priority classes, roles and their bindings. */
export function fillCluster(context: Context): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
    createObject(context, definitionOf('namespaces'), {
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    });
  createPriorityClasses(context);
  for (const [name, rules] of Object.entries(defaultClusterRoles)) {
    const role = { metadata: { name, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } }, rules };
    createObject(context, definitionOf(`clusterroles.${rbacGroup}`), role);
  }
  for (const [name, subjects] of Object.entries(defaultBindings)) {
    const binding = {
      metadata: { name },
      subjects,
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    };
    createObject(context, definitionOf(`clusterrolebindings.${rbacGroup}`), binding);
  }
}

function createPriorityClasses(context: Context): void {
  const classes = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };
  for (const [name, value] of Object.entries(classes)) {
    const priority = {
      metadata: { name },
      value,
      globalDefault: false,
      preemptionPolicy: 'PreemptLowerPriority',
    };
    createObject(context, definitionOf('priorityclasses.scheduling.k8s.io'), priority);
  }
}
