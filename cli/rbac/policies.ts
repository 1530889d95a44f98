import { roleGroupOf } from '../../shared/credentials/token-cluster.ts';
import { selectPolicies } from './select.ts';

/** `needed`: those without which a right is as good as cluster-admin. */
export const policyChoices = ['needed', 'all', 'none'] as const;

export type PolicyChoice = (typeof policyChoices)[number];

interface PolicyWishes {
  readonly choice: PolicyChoice;
  /** Whether Drover may create bootstrap tokens in this cluster. */
  readonly makesTokens: boolean;
  /** The parameter bootstrapGroups of the deployment, in its order. */
  readonly bootstrapGroups: string;
}

const ofTokens = 'drover-bootstrap-tokens';
const others = ['drover-nodes', 'drover-node-marks', 'drover-deployments'];

export const defaultBootstrapGroups = roleGroupOf('worker');

/** The policies of deploy/admission.yaml for these rights. That of tokens lets the deployment's own groups through. Pure. */
export function policiesFor(yaml: string, { choice, makesTokens, bootstrapGroups }: PolicyWishes): string {
  if (choice === 'none') return '';
  const names = [...(makesTokens ? [ofTokens] : []), ...(choice === 'all' ? others : [])];
  return selectPolicies(yaml, new Set(names)).replaceAll(
    base64(defaultBootstrapGroups),
    base64(bootstrapGroups),
  );
}

/** CEL cannot decode it, so the policy compares it. */
const base64 = (text: string): string => Buffer.from(text).toString('base64');
