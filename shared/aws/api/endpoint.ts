/** Where AWS answers, by the beginning of the region's name: the DNS suffixes of its partitions. */
const suffixes: readonly (readonly [string, string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['us-iso-', 'c2s.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['eusc-', 'amazonaws.eu'],
];

/** The host of a regional service: `sts.eu-west-1.amazonaws.com`. */
export function regionalHost(endpointPrefix: string, region: string): string {
  const suffix = suffixes.find(([start]) => region.startsWith(start))?.[1] ?? 'amazonaws.com';
  return `${endpointPrefix}.${region}.${suffix}`;
}
