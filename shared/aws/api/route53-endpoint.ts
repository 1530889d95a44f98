import type { GlobalEndpoint } from './service.ts';

/** By the beginning of a region's name: Route 53 has one endpoint for each partition of AWS. */
const partitions: readonly (readonly [start: string, endpoint: GlobalEndpoint])[] = [
  ['cn-', { host: 'route53.amazonaws.com.cn', signingRegion: 'cn-northwest-1' }],
  ['us-gov-', { host: 'route53.us-gov.amazonaws.com', signingRegion: 'us-gov-west-1' }],
  ['us-isob-', { host: 'route53.sc2s.sgov.gov', signingRegion: 'us-isob-east-1' }],
  ['us-isof-', { host: 'route53.csp.hci.ic.gov', signingRegion: 'us-isof-south-1' }],
  ['us-iso-', { host: 'route53.c2s.ic.gov', signingRegion: 'us-iso-east-1' }],
  ['eu-isoe-', { host: 'route53.cloud.adc-e.uk', signingRegion: 'eu-isoe-west-1' }],
  ['eusc-', { host: 'route53.amazonaws.eu', signingRegion: 'eusc-de-east-1' }],
];

const commercial: GlobalEndpoint = { host: 'route53.amazonaws.com', signingRegion: 'us-east-1' };

/** Where Route 53 answers to whoever is in this region (Amazon Route 53 endpoints and quotas). */
export const route53Endpoint = (region: string): GlobalEndpoint =>
  partitions.find(([start]) => region.startsWith(start))?.[1] ?? commercial;
