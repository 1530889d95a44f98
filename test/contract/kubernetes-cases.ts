import { accessCases } from './kubernetes-access-cases.ts';
import { applyCases } from './kubernetes-apply-cases.ts';
import { bodyCases } from './kubernetes-body-cases.ts';
import { certificateCases } from './kubernetes-certificate-cases.ts';
import { clientCases } from './kubernetes-client-cases.ts';
import { createCases } from './kubernetes-create-cases.ts';
import { credentialCases } from './kubernetes-credential-cases.ts';
import { defaultCases } from './kubernetes-default-cases.ts';
import { deleteCases } from './kubernetes-delete-cases.ts';
import { discoveryCases } from './kubernetes-discovery-cases.ts';
import { eventCases } from './kubernetes-event-cases.ts';
import { evictionCases } from './kubernetes-eviction-cases.ts';
import { listCases } from './kubernetes-list-cases.ts';
import { namespaceCases } from './kubernetes-namespace-cases.ts';
import { patchCases } from './kubernetes-patch-cases.ts';
import { pathCases } from './kubernetes-paths-cases.ts';
import { reviewCases } from './kubernetes-review-cases.ts';
import { scaleCases } from './kubernetes-scale-cases.ts';
import { selectorCases } from './kubernetes-selector-cases.ts';
import { strategicCases } from './kubernetes-strategic-cases.ts';
import { tableCases } from './kubernetes-table-cases.ts';
import { updateCases } from './kubernetes-update-cases.ts';
import { validationCases } from './kubernetes-validation-cases.ts';
import { watchCases } from './kubernetes-watch-cases.ts';
import { wireCases } from './kubernetes-wire-cases.ts';
import type { Cases } from './support/contract.ts';
import type { KubernetesWorld } from './support/kubernetes-world.ts';

/** What every API server does; each sentence stands in the file of its topic. */
export const kubernetesCases: Cases<KubernetesWorld> = {
  ...pathCases,
  ...bodyCases,
  ...createCases,
  ...validationCases,
  ...updateCases,
  ...scaleCases,
  ...patchCases,
  ...strategicCases,
  ...applyCases,
  ...listCases,
  ...selectorCases,
  ...watchCases,
  ...deleteCases,
  ...namespaceCases,
  ...evictionCases,
  ...accessCases,
  ...reviewCases,
  ...credentialCases,
  ...certificateCases,
  ...eventCases,
  ...defaultCases,
  ...discoveryCases,
  ...tableCases,
  ...wireCases,
  ...clientCases,
};
