/**
 * The words of a search. Texts and searches go through the same function, so that `draining`, `drained` and `drains` find each other.
 */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  const [, stem = lower] = /^([a-z]{3,}?)(?:ing|ed|es|s)$/.exec(lower) ?? [];
  return stem.length > 3 ? stem.replace(/e$/, '') : stem;
}

/** Words of a question that say nothing about what is searched. */
const fillers = new Set(
  'a an and are as at be can cannot do does for from get has have how i if in into is it its me my no not of on or so still that the there this to was we what when where which why will with you'.split(
    ' ',
  ),
);

/** Words for the same thing: each finds the others. An entry of several words counts as one. */
const synonyms: readonly (readonly string[])[] = [
  ['uninstall', 'remove', 'delete'],
  ['rollback', 'roll back', 'downgrade'],
  ['pdb', 'poddisruptionbudget', 'budget'],
  ['stuck', 'hangs', 'blocked', 'waits', 'does not end'],
  ['irsa', 'workload identity', 'pod identity', 'web identity', 'oidc'],
  ['x509', 'unknown authority', 'certificate authority'],
  ['helm', 'chart', 'terraform', 'cloudformation'],
  ['spot', 'interruption', 'itn'],
  ['asg', 'auto scaling group', 'autoscaling group', 'node group', 'nodegroup'],
  ['terminating', 'leaving', 'terminates'],
  ['csr', 'certificatesigningrequest', 'certificate request'],
  ['price', 'pricing', 'cost', 'costs'],
  ['rbac', 'forbidden', 'rights'],
  ['iam', 'accessdenied', 'access denied', 'permission'],
  ['scaledown', 'scale down', 'scale in', 'scale-in'],
  ['dlq', 'dead letter', 'dead-letter'],
  ['ca', 'cluster-autoscaler', 'autoscaler'],
  ['nth', 'node termination handler'],
  ['notready', 'not ready', 'ready'],
  ['slack', 'chat', 'teams', 'pagerduty'],
  ['restore', 'recover', 'disaster'],
  ['silence', 'mute', 'maintenance window'],
  ['prometheus', 'metrics', 'grafana'],
  ['airgapped', 'air-gapped', 'private network', 'private subnets'],
  ['timeout', 'deadline', 'drain-timeout'],
  ['debug', 'troubleshoot', 'logs'],
  ['install', 'deploy', 'setup'],
  ['upgrade', 'update'],
];

/** What is searched: each word with the words that mean the same. All of them must be found, in any order. */
export function alternativesOf(words: string): readonly (readonly string[])[] {
  const asked = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = asked.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : asked).map((word) => [
    word,
    ...synonyms
      .filter((group) => group.includes(word))
      .flatMap((group) => group.filter((other) => other !== word)),
  ]);
}
