import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  formatBootstrapKubeconfig,
  publishedAddress,
  readPublished,
} from '../../../shared/credentials/bootstrap-kubeconfig.ts';

const owner = { clusterName: 'prod', role: 'worker' } as const;
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const address = { server: 'https://api.prod:6443', certificateAuthorityData: 'Q0E=' };
const text = formatBootstrapKubeconfig({ owner, address, token });

describe('the published kubeconfig', () => {
  it('has one cluster, one user with the token and one context, which is the current one', () => {
    expect(parse(text)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'prod',
          cluster: { server: 'https://api.prod:6443', 'certificate-authority-data': 'Q0E=' },
        },
      ],
      users: [{ name: 'drover-bootstrap-worker', user: { token: 'abcdef.0123456789abcdef' } }],
      contexts: [
        { name: 'drover-bootstrap-worker', context: { cluster: 'prod', user: 'drover-bootstrap-worker' } },
      ],
      'current-context': 'drover-bootstrap-worker',
    });
  });

  it('is read back as written, even if the token looks like a number', () => {
    for (const id of ['abcdef', '123456', '1e1000', '0x1234'])
      for (const secret of ['0123456789abcdef', '0000000000000000', '1234567890123456']) {
        const written = formatBootstrapKubeconfig({
          owner,
          address: { ...address, tlsServerName: 'kubernetes' },
          token: { id, secret },
        });
        expect(readPublished(written, owner)).toEqual({
          kind: 'ours',
          token: { id, secret },
          address: { ...address, tlsServerName: 'kubernetes' },
        });
      }
  });
});

describe('a parameter that Drover did not publish', () => {
  it.each([
    [
      'another cluster',
      formatBootstrapKubeconfig({ owner: { ...owner, clusterName: 'test' }, address, token }),
    ],
    [
      'another role',
      formatBootstrapKubeconfig({ owner: { ...owner, role: 'control-plane' }, address, token }),
    ],
    ['the kubeconfig of a user', text.replaceAll('drover-bootstrap-worker', 'admin')],
    ['a token of another kind', text.replace('abcdef.0123456789abcdef', 'eyJhbGciOi')],
    ['a password', 'hunter2'],
    ['broken YAML', '{ a: ['],
    ['nothing', ''],
  ])('is foreign: %s', (_, foreign) => {
    expect(readPublished(foreign, owner).kind).toBe('foreign');
  });

  it('is never quoted and never throws, whatever its content', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (value) => {
        const published = readPublished(value, owner);
        expect(published.kind === 'foreign' && !published.why.includes(value)).toBe(true);
      }),
    );
  });
});

const own = {
  server: 'https://10.0.0.1:6443',
  certificateAuthorityData: 'Q0E=',
  tlsServerName: 'kubernetes',
};

describe('the published address', () => {
  it("is that of Drover's own kubeconfig by default", () => {
    expect(publishedAddress(own, {})).toEqual(own);
  });

  it("is the operator's override, verified by its own name", () => {
    expect(publishedAddress(own, { server: 'https://api.internal' })).toEqual({
      server: 'https://api.internal',
      certificateAuthorityData: 'Q0E=',
    });
    expect(publishedAddress(own, { certificateAuthorityData: 'LS0t' })).toMatchObject({
      certificateAuthorityData: 'LS0t',
    });
  });

  it('needs a certificate authority, or an impostor would get the token', () => {
    expect(() => publishedAddress({ server: 'https://10.0.0.1' }, {})).toThrow(/certificate-authority-data/);
  });

  it('needs no certificate authority without TLS, on one machine', () => {
    expect(publishedAddress({ server: 'http://127.0.0.1:8080' }, {})).toEqual({
      server: 'http://127.0.0.1:8080',
    });
  });
});
