import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { manifestsFor311, release311, withoutBootstrap } from '../../local/cloud/openshift-3.11.ts';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
} from '../../local/world/drover-world.ts';
import type { RbacManifest } from '../../local/world/rbac.ts';

/** A world with the APIs of Kubernetes 1.11, the rights that `drover rbac --openshift-3.11` prints, and `bootstrap: off`. */
export function world311(options: Omit<DroverWorldOptions, 'editRbac' | 'editWiring'> = {}): DroverWorld {
  const text = manifestsFor311(readFileSync('deploy/rbac.yaml', 'utf8'));
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as RbacManifest);
  return createDroverWorld({
    ...options,
    kubernetes: { ...release311, ...options.kubernetes },
    editRbac: () => manifests,
    editWiring: withoutBootstrap,
  });
}
