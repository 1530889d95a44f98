import * as z from 'zod/mini';

/** A subdomain of DNS (RFC 1123). */
const prefixPattern = /^(?=.{1,253}$)[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/;
const namePattern = /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/;

/** A key of a label or taint (Kubernetes, "Syntax and character set" of labels). */
function isKey(key: string): boolean {
  const parts = key.split('/');
  const [name = ''] = parts.slice(-1);
  return (
    parts.length <= 2 && namePattern.test(name) && (parts.length === 1 || prefixPattern.test(parts[0] ?? ''))
  );
}

const isValue = (value: string): boolean => value === '' || namePattern.test(value);

/** Labels below these names that a kubelet may give its own Node; it does not start with others (NodeRestriction, kubelet's `--node-labels`). */
const ownOfKubelets = /(?:^|\.)(?:kubernetes|k8s)\.io$/;
const allowedPrefixes = /^(?:.*\.)?(?:kubelet|node)\.kubernetes\.io$/;
const allowedKeys: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

function kubeletMaySet(key: string): boolean {
  const [prefix = '', name] = key.split('/');
  if (name === undefined || !ownOfKubelets.test(prefix)) return true;
  return allowedKeys.has(key) || allowedPrefixes.test(prefix);
}

const key = z.string().check(
  z.refine(isKey, 'write a key such as example.com/team: letters, digits, dots, dashes and underscores'),
  z.refine(
    (text) => !text.startsWith('drover.dev/'),
    'keys below drover.dev are what Drover writes, and deploy/admission.yaml denies a kubelet to register with one: choose another prefix',
  ),
);
const value = z
  .string()
  .check(z.refine(isValue, 'write a value of at most 63 letters, digits, dots, dashes and underscores'));

const allDiffer = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

export const labels = z
  .array(
    z.object({
      key: key.check(
        z.refine(
          kubeletMaySet,
          'a kubelet does not start with this label of kubernetes.io: give the group the tag k8s.io/cluster-autoscaler/node-template/label/KEY, and drover.dev/apply-node-template = true',
        ),
      ),
      value,
    }),
  )
  .check(
    z.refine((all) => allDiffer(all.map(({ key }) => key)), 'a key is given twice, and a Node has each once'),
  );

export const taints = z
  .array(
    z.object({
      key,
      value,
      effect: z.enum(
        ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
        'write a taint as KEY=VALUE:EFFECT, with the effect NoSchedule, PreferNoSchedule or NoExecute',
      ),
    }),
  )
  .check(
    z.refine(
      (all) => allDiffer(all.map(({ key, effect }) => `${key}:${effect}`)),
      'a key is given twice with the same effect, and a Node has each once',
    ),
  );

export type Label = z.infer<typeof labels>[number];
export type Taint = z.infer<typeof taints>[number];

export const labelText = ({ key, value }: Label): string => `${key}=${value}`;
export const taintText = ({ key, value, effect }: Taint): string => `${key}=${value}:${effect}`;
