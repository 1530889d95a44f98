import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import { expect } from 'vitest';
import { applyManifests } from '../../../local/deployment/apply-manifests.ts';

export const isMissing = kubernetes.missing !== undefined || !chosenEtcd.isInstalled;

export interface ApiServer {
  readonly admin: ClusterAdmin;
  /** The identity of Drover. */
  readonly drover: ClusterAdmin;
  readonly stop: () => Promise<void>;
}

/** A real API server with the roles and the admission policies of deploy/. It compiles a new policy within seconds. */
export async function startWithPolicies(
  policies = readFileSync('deploy/admission.yaml', 'utf8'),
): Promise<ApiServer> {
  const directory = mkdtempSync(join(tmpdir(), 'admission-'));
  const controlPlane = await startControlPlane({ directory, withScheduler: false, controllers: [] });
  const admin = adminOf(controlPlane);
  for (const manifests of [readFileSync('deploy/rbac.yaml', 'utf8'), policies])
    await applyManifests(manifests, admin);
  return {
    admin,
    drover: { ...admin, token: controlPlane.droverToken },
    stop: async () => {
      await controlPlane.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

export const isDenied = (expression: RegExp) => ({ status: 422, body: expect.stringMatching(expression) });
