import type { Endpoints, Service } from 'kubernetes-types/core/v1.d.ts';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.d.ts';
import type { Item } from '../api/list.ts';
import { ageColumn, type Column, nameColumn, pairs } from './column.ts';

const service = (item: Item): Service => item as Item & Service;
const slice = (item: Item): EndpointSlice => item as Item & EndpointSlice;

const orNone = (texts: readonly string[]): string => (texts.length === 0 ? '<none>' : texts.join(','));

/** As kubectl lists what may be long: the first three, and how many more. */
function few(texts: readonly string[], none: string): string {
  if (texts.length === 0) return none;
  const more = texts.length > 3 ? ` + ${texts.length - 3} more...` : '';
  return `${texts.slice(0, 3).join(',')}${more}`;
}

const servicePorts = (item: Item): string =>
  orNone((service(item).spec?.ports ?? []).map(({ port, protocol }) => `${port}/${protocol ?? 'TCP'}`));

const addressesOf = (item: Item): readonly string[] =>
  ((item as Item & Endpoints).subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
    addresses.flatMap(({ ip }) => (ports.length === 0 ? [ip] : ports.map(({ port }) => `${ip}:${port}`))),
  );

/** The columns of what leads to pods. */
export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  services: [
    nameColumn,
    { name: 'Type', value: (item) => service(item).spec?.type ?? 'ClusterIP' },
    { name: 'Cluster-IP', value: (item) => service(item).spec?.clusterIP ?? '<none>' },
    { name: 'External-IP', value: () => '<none>' },
    { name: 'Port(s)', value: servicePorts },
    ageColumn,
    { name: 'Selector', wide: true, value: (item) => pairs(service(item).spec?.selector) },
  ],
  endpoints: [
    nameColumn,
    { name: 'Endpoints', value: (item) => few(addressesOf(item), '<none>') },
    ageColumn,
  ],
  'endpointslices.discovery.k8s.io': [
    nameColumn,
    { name: 'AddressType', value: (item) => slice(item).addressType },
    {
      name: 'Ports',
      value: (item) =>
        few(
          (slice(item).ports ?? []).map(({ port }) => String(port ?? '*')),
          '<unset>',
        ),
    },
    {
      name: 'Endpoints',
      value: (item) =>
        few(
          slice(item).endpoints.flatMap(({ addresses }) => addresses),
          '<unset>',
        ),
    },
    ageColumn,
  ],
};
