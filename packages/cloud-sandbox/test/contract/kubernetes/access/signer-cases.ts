import { X509Certificate } from 'node:crypto';
import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { expectInvalid, expectRefusal, forbidden } from '../expectations.ts';
import type { Answer, KubernetesWorld } from '../world.ts';
import {
  approve,
  approved,
  ask,
  bind,
  certificateRights,
  kubeletClient,
  kubeletServing,
  requestFor,
  requests,
  startUser,
} from './certificate-requests.ts';

const head = { kind: 'CertificateSigningRequest', group: 'certificates.k8s.io' };
const node = { commonName: 'system:node:x' };
const merge = { 'content-type': 'application/merge-patch+json' };

function expectForbidden(answer: Answer, name: string, why: string): void {
  expectRefusal(answer, {
    code: 403,
    reason: 'Forbidden',
    message: `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: ${why}`,
    details: { name, group: 'certificates.k8s.io', kind: 'certificatesigningrequests' },
  });
}

/** The certificate that is issued for what was asked, once it is approved. */
async function issued(world: KubernetesWorld, asking: Parameters<typeof ask>[1]): Promise<X509Certificate> {
  const { name } = await ask(world, asking);
  await approve(world, name);
  const certificate = async () => (await world.get(`${requests}/${name}`)).body.status.certificate ?? '';
  await expect.poll(certificate).not.toBe('');
  return new X509Certificate(Buffer.from(await certificate(), 'base64'));
}

const secondsOf = ({ validFrom, validTo }: X509Certificate): number =>
  (Date.parse(validTo) - Date.parse(validFrom)) / 1000;

async function conditionsOf(world: KubernetesWorld, name: string) {
  const { status } = (await world.get(`${requests}/${name}`)).body;
  return status.conditions ?? [];
}

/** Who decides, who signs, and what is issued. */
export const signerCases: Cases<KubernetesWorld> = {
  'a user approves a certificate request only with the right to approve for its signer': async (world) => {
    const rights = certificateRights(['update', 'patch'], 'certificatesigningrequests/approval');
    const { user, headers } = await startUser(world, [rights]);
    const { name } = await ask(world, { spec: kubeletClient, asked: node });
    const why = `user not permitted to approve requests with signerName "${kubeletClient.signerName}"`;
    await expect.poll(async () => (await approve(world, name, headers)).body.message).toContain(why);
    expectForbidden(await approve(world, name, headers), name, why);
    await bind(world, user, 'system:certificates.k8s.io:kubelet-serving-approver');
    expectForbidden(await approve(world, name, headers), name, why);
    await bind(world, user, 'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver');
    await expect.poll(async () => (await approve(world, name, headers)).status).toBe(200);
  },

  'the right to approve for all signers of a domain is the name with an asterisk': async (world) => {
    const { headers } = await startUser(world, [
      certificateRights(['patch'], 'certificatesigningrequests/approval'),
      { ...certificateRights(['approve'], 'signers'), resourceNames: ['kubernetes.io/*'] },
    ]);
    const { name } = await ask(world, { spec: kubeletServing, asked: { ...node, dnsNames: ['x'] } });
    await expect.poll(async () => (await approve(world, name, headers)).status).toBe(200);
  },

  'a user signs a certificate request only with the right to sign for its signer': async (world) => {
    const rights = certificateRights(['patch'], 'certificatesigningrequests/status');
    const { headers } = await startUser(world, [rights]);
    const { name } = await ask(world, { spec: kubeletServing, asked: node });
    const failed = { type: 'Failed', status: 'True', reason: 'Test' };
    const sign = () =>
      world.call('PATCH', `${requests}/${name}/status`, {
        body: { status: { conditions: [failed] } },
        headers: { ...merge, ...headers },
      });
    const why = `user not permitted to sign requests with signerName "${kubeletServing.signerName}"`;
    await expect.poll(async () => (await sign()).body.message).toContain(why);
    expectForbidden(await sign(), name, why);
  },

  'a signer cannot approve or deny': async (world) => {
    const { name } = await ask(world, { spec: kubeletServing, asked: node });
    const answer = await world.patch(`${requests}/${name}/status`, 'merge', {
      status: { conditions: [approved] },
    });
    const why = 'updates may not add a condition of type "Approved"';
    expectInvalid(answer, { ...head, name, causes: [forbidden('status.conditions', why)] });
  },

  'a client of the API server cannot ask to be in system:masters': async (world) => {
    const signerName = 'kubernetes.io/kube-apiserver-client';
    const asked = { commonName: 'x', organizations: ['system:masters'] };
    const { answer, name } = await ask(world, { spec: { ...kubeletClient, signerName }, asked });
    expectForbidden(answer, name, `use of ${signerName} signer with system:masters group is not allowed`);
  },

  'a certificate request whose signature is not of its key is refused': async (world) => {
    const der = Buffer.from(
      Buffer.from(requestFor(node), 'base64')
        .toString()
        .replaceAll(/-----.*-----/g, ''),
      'base64',
    );
    der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
    const text = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const request = Buffer.from(text).toString('base64');
    const { status, body } = await ask(world, { spec: { ...kubeletClient, request }, asked: node });
    expect([status, body.details.causes[0].field]).toEqual([422, 'spec.request']);
  },

  'a certificate request names a usage once': async (world) => {
    const usages = ['client auth', 'client auth'];
    const { answer, name } = await ask(world, { spec: { ...kubeletClient, usages }, asked: node });
    const cause = { reason: 'FieldValueDuplicate', field: 'spec.usages[1]' };
    const message = 'Duplicate value: "client auth"';
    expectInvalid(answer, { ...head, name, causes: [{ ...cause, message }] });
  },

  'a certificate request has a condition of a type once': async (world) => {
    const { name } = await ask(world, { spec: kubeletClient, asked: node });
    const answer = await world.patch(`${requests}/${name}/approval`, 'merge', {
      status: { conditions: [approved, approved] },
    });
    const cause = { reason: 'FieldValueDuplicate', field: 'status.conditions[1].type' };
    const message = 'Duplicate value: "Approved"';
    expectInvalid(answer, { ...head, name, causes: [{ ...cause, message }] });
  },

  'an approval of an old version of a certificate request is a conflict': async (world) => {
    const { body, name } = await ask(world, { spec: kubeletClient, asked: node });
    await world.patch(`${requests}/${name}`, 'merge', { metadata: { labels: { a: 'b' } } });
    const stale = { ...body, status: { conditions: [approved] } };
    expect((await world.put(`${requests}/${name}/approval`, stale)).status).toBe(409);
  },

  'an approval may write labels and annotations': async (world) => {
    const { name } = await ask(world, { spec: kubeletClient, asked: node });
    const { body } = await world.patch(`${requests}/${name}/approval`, 'merge', {
      metadata: { annotations: { a: 'b' } },
    });
    expect(body.metadata.annotations).toEqual({ a: 'b' });
  },

  "a kubelet's client certificate is valid for as long as it asked, from five minutes ago": async (world) => {
    const certificate = await issued(world, {
      spec: { ...kubeletClient, expirationSeconds: 3600 },
      asked: node,
    });
    expect(secondsOf(certificate)).toBe(3600 + 300);
    expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:x');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.ca).toBe(false);
  },

  'a certificate is valid for no longer than a year, the default of the controller manager': async (
    world,
  ) => {
    const year = 365 * 86_400;
    const asking = { spec: { ...kubeletClient, expirationSeconds: 10 * year }, asked: node };
    expect(secondsOf(await issued(world, asking))).toBeLessThanOrEqual(year);
  },

  "a kubelet's serving certificate has the names that it asked for": async (world) => {
    const asked = { ...node, dnsNames: ['x.internal'], ipAddresses: ['10.0.0.7'] };
    const certificate = await issued(world, { spec: kubeletServing, asked });
    expect(certificate.subjectAltName).toBe('DNS:x.internal, IP Address:10.0.0.7');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  },

  'an approved request that its signer does not take has failed': async (world) => {
    const failures = [
      [kubeletServing, node, 'DNS or IP subjectAltName is required'],
      [kubeletClient, { commonName: 'x' }, 'subject common name does not begin with system:node:'],
      [kubeletClient, { ...node, organizations: ['a'] }, 'subject organization is not system:nodes'],
      [kubeletClient, { ...node, dnsNames: ['x'] }, 'DNS subjectAltNames are not allowed'],
      [
        { ...kubeletClient, usages: ['client auth'] },
        node,
        'usages did not match [client auth digital signature key encipherment]',
      ],
    ] as const;
    for (const [spec, asked, message] of failures) {
      const { name } = await ask(world, { spec, asked });
      await approve(world, name);
      await expect.poll(async () => (await conditionsOf(world, name)).length).toBe(2);
      expect((await conditionsOf(world, name))[1]).toMatchObject({
        type: 'Failed',
        status: 'True',
        reason: 'SignerValidationFailure',
        message,
      });
    }
  },

  'the controller manager approves a kubelet by itself only where nodeclient is bound': async (world) => {
    const rights = certificateRights(['create'], 'certificatesigningrequests');
    const [bound, other] = [await startUser(world, [rights]), await startUser(world, [rights])];
    await bind(world, bound.user, 'system:certificates.k8s.io:certificatesigningrequests:nodeclient');
    const askAs = async ({ headers }: typeof bound): Promise<string> => {
      const asking = { spec: kubeletClient, asked: node, headers };
      await expect.poll(async () => (await ask(world, asking)).status).toBe(201);
      return (await ask(world, asking)).name;
    };
    const [pending, taken] = [await askAs(other), await askAs(bound)];
    await expect
      .poll(() => conditionsOf(world, taken))
      .toEqual([expect.objectContaining({ type: 'Approved', reason: 'AutoApproved' })]);
    expect(await conditionsOf(world, pending)).toEqual([]);
  },
};
