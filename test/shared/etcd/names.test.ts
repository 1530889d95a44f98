import { describe, expect, it } from 'vitest';
import { clientUrl, instanceOfHost, peerUrl, srvServices } from '../../../shared/etcd/names.ts';

describe('the URLs of a member', () => {
  it.each([
    ['plain', 'http'],
    ['ssl', 'https'],
    ['both', 'https'],
  ] as const)('with %s services start with %s', (services, scheme) => {
    expect(peerUrl('x', { services })).toBe(`${scheme}://x:2380`);
    expect(clientUrl('x', { services })).toBe(`${scheme}://x:2379`);
  });
});

it('a host of a subdomain is not a member of this domain', () => {
  const instanceId = 'i-0123456789abcdef0';
  expect(instanceOfHost(`${instanceId}.etcd.example`, { domain: 'etcd.example' })).toBe(instanceId);
  expect(instanceOfHost(`${instanceId}.blue.etcd.example`, { domain: 'etcd.example' })).toBeUndefined();
});

describe('the SRV sets', () => {
  it('have at most one for peers, whatever clients use', () => {
    for (const services of ['plain', 'ssl', 'both'] as const) {
      const sets = srvServices({ domain: 'x', services });
      expect(sets.filter(({ name }) => name.startsWith('_etcd-server'))).toHaveLength(1);
    }
    expect(srvServices({ domain: 'x', services: 'both', serviceName: 'events' })).toEqual([
      { name: '_etcd-server-ssl-events._tcp.x', port: 2380 },
      { name: '_etcd-client-ssl-events._tcp.x', port: 2379 },
      { name: '_etcd-client-events._tcp.x', port: 2379 },
    ]);
  });
});
