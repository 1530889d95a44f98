import type { Cases } from '../../../truth/contract.ts';
import { accessCases } from './access/access-cases.ts';
import { certificateCases } from './access/certificate-cases.ts';
import { credentialCases } from './access/credential-cases.ts';
import { nodeCases } from './access/node-cases.ts';
import { reviewCases } from './access/review-cases.ts';
import { signerCases } from './access/signer-cases.ts';
import { eventCases } from './kinds/event-cases.ts';
import { evictionCases } from './kinds/eviction-cases.ts';
import { namespaceCases } from './kinds/namespace-cases.ts';
import { scaleCases } from './kinds/scale-cases.ts';
import { pathCases } from './paths-cases.ts';
import { discoveryCases } from './reading/discovery-cases.ts';
import { listCases } from './reading/list-cases.ts';
import { selectorCases } from './reading/selector-cases.ts';
import { tableCases } from './reading/table-cases.ts';
import { watchCases } from './reading/watch-cases.ts';
import { wireCases } from './wire-cases.ts';
import type { KubernetesWorld } from './world.ts';
import { applyCases } from './writing/apply-cases.ts';
import { bodyCases } from './writing/body-cases.ts';
import { createCases } from './writing/create-cases.ts';
import { defaultCases } from './writing/default-cases.ts';
import { deleteCases } from './writing/delete-cases.ts';
import { patchCases } from './writing/patch-cases.ts';
import { strategicCases } from './writing/strategic-cases.ts';
import { updateCases } from './writing/update-cases.ts';
import { validationCases } from './writing/validation-cases.ts';

/** Behaviours of every API server. Each behaviour is in the file of its topic. */
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
  ...signerCases,
  ...nodeCases,
  ...eventCases,
  ...defaultCases,
  ...discoveryCases,
  ...tableCases,
  ...wireCases,
};
