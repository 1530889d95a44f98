import { describe, expect, it } from 'vitest';
import { compareWithStored } from '../../../../cli/etcd/adoption/cluster-identity.ts';
import type { AdoptionObservation, KubernetesView } from '../../../../cli/etcd/adoption/observation.ts';
import { planAdoption } from '../../../../cli/etcd/adoption/plan.ts';
import { naming, observed } from './observed.ts';

type Read = Extract<KubernetesView, { readonly kind: 'read' }>;

const planWith = (changes: Partial<Read>, others: Partial<AdoptionObservation> = {}) =>
  planAdoption(
    observed([{}, {}, {}], {
      kubernetes: {
        kind: 'read',
        stacked: new Map(),
        etcdServers: new Map(),
        server: 'https://api.other:6443',
        stored: 'same',
        ...changes,
      },
      ...others,
    }),
  );

const servers = (...urls: readonly string[]): Partial<Read> => ({
  etcdServers: new Map([['kube-apiserver-master-1', urls]]),
});

describe('the cluster of the kubeconfig in drover etcd adopt --plan', () => {
  it('is refused if its authority is not that of the functions’ kubeconfig: it would show no stacked etcd', () => {
    const { refusals, steps } = planWith({ stored: 'other' });
    expect(steps).toEqual([]);
    expect(refusals).toMatchObject([
      {
        subject: 'https://api.other:6443',
        reason: expect.stringContaining('another cluster'),
        remedy: expect.stringContaining('--context'),
      },
    ]);
  });

  it.each([
    ['another etcd', ['https://10.9.9.9:2379']],
    ['a stacked etcd of its own', ['https://127.0.0.1:2379']],
    ['a name like that of this etcd', [`https://x${naming.domain}:2379`]],
    ['no URL', ['etcd-1']],
  ])('is refused if nothing but the flags of its API servers is known, and they name %s', (_, urls) => {
    const { refusals } = planWith({ ...servers(...urls), stored: 'unknown' });
    const isUrl = URL.canParse(urls[0] ?? '');
    expect(refusals.map(({ reason }) => reason)).toEqual(
      isUrl ? [`its API servers read another etcd: ${urls.join(', ')}`] : [],
    );
  });

  it.each([
    ['an address of a member', 'https://10.0.0.1:2379'],
    ['a name in a certificate of a member', 'https://HOST-2:2379'],
    ['the domain', `https://${naming.domain}:2379`],
    ['a name of the domain', `https://i-0.${naming.domain}:2379`],
  ])('is that of this etcd if an API server names %s, whatever is stored', (_, url) => {
    for (const stored of ['same', 'unknown', 'other'] as const)
      expect(planWith({ ...servers('https://10.9.9.9:2379', url), stored }).refusals).toEqual([]);
  });

  it('is in doubt if nothing shows it, as with API servers outside the cluster', () => {
    expect(planWith({ stored: 'unknown' }).notices).toContain(
      "nothing shows that https://api.other:6443 of this machine's kubeconfig is the cluster that this etcd serves: check the context",
    );
    expect(planWith({ stored: 'same' }).notices.join()).not.toContain('nothing shows');
  });
});

describe('a stored kubeconfig', () => {
  const authority = (text: string): string =>
    `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  const kubeconfig = (server: string, text?: string): string =>
    JSON.stringify({
      'current-context': 'a',
      clusters: [
        {
          name: 'a',
          cluster: {
            server,
            ...(text && { 'certificate-authority-data': Buffer.from(authority(text)).toString('base64') }),
          },
        },
      ],
      users: [{ name: 'a', user: { token: 't' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    });
  const reached = { server: 'https://api.test', tls: { certificateAuthority: authority('MIIB') } };

  it.each([
    ['the same authority at another address', kubeconfig('https://api.internal', 'MIIB'), 'same'],
    ['another authority at the same address', kubeconfig('https://api.test', 'MIIC'), 'other'],
    ['no authority at the same address', kubeconfig('https://api.test'), 'same'],
    ['no authority at another address', kubeconfig('https://api.internal'), 'unknown'],
    ['another text', 'hello', 'unknown'],
    ['no parameter', undefined, 'unknown'],
  ])('with %s', async (_, text, expected) => {
    expect(await compareWithStored(reached, () => Promise.resolve(text))).toBe(expected);
  });

  it('that may not be read proves nothing, and any other error ends the plan', async () => {
    const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    expect(await compareWithStored(reached, () => Promise.reject(denied))).toBe('unknown');
    await expect(compareWithStored(reached, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
  });
});
