import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import {
  expectBadRequest,
  expectInvalid,
  forbidden,
  invalid,
  required,
  unsupported,
} from '../expectations.ts';
import { made } from '../objects.ts';
import { type KubernetesWorld, uniqueName } from '../world.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A request of `system:node:x`, signed by a key of its own, as base64. */
async function createRequest(): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = 'O=system:nodes,CN=system:node:x';
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
  });
  return Buffer.from(`${request.toString('pem')}\n`).toString('base64');
}

/** A certificate request that has not been posted yet. */
async function start(world: KubernetesWorld) {
  const name = uniqueName('csr');
  const request = await createRequest();
  const body = (spec: object = {}) => ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request,
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth', 'digital signature'],
      ...spec,
    },
  });
  const path = `${requests}/${name}`;
  return {
    name,
    path,
    body,
    post: (spec?: object) => world.post(requests, body(spec)),
    approve: (...conditions: readonly object[]) =>
      world.patch(`${path}/approval`, 'merge', { status: { conditions } }),
    end: () => world.delete(path),
  };
}

const approved = { type: 'Approved', status: 'True', reason: 'x', message: 'm' };
const head = { kind: 'CertificateSigningRequest', group: 'certificates.k8s.io' };

/** Certificate requests: who asks, who approves, what stays as it is. */
export const certificateCases: Cases<KubernetesWorld> = {
  'a certificate request records the requester, whatever its spec': async (world) => {
    const { post, end } = await start(world);
    const { status, body } = await post({
      username: 'liar',
      groups: ['liars'],
      uid: 'x',
      extra: { a: ['b'] },
    });
    expect(status).toBe(201);
    expect(body.spec.groups).toEqual(['system:masters', 'system:authenticated']);
    expect([body.spec.username, body.spec.uid]).not.toEqual(['liar', 'x']);
    expect(body.spec).not.toHaveProperty('extra');
    await end();
  },

  'a new certificate request has no conditions and no certificate': async (world) => {
    const { body, end } = await start(world);
    const status = { conditions: [approved], certificate: 'Zm9v' };
    expect((await made(world, requests, { ...body(), status })).status).toEqual({});
    await end();
  },

  'a certificate request needs a valid PEM request': async (world) => {
    const { name, post } = await start(world);
    const words = '"bm90IG9uZQ==": PEM block type must be CERTIFICATE REQUEST';
    expectInvalid(await post({ request: 'bm90IG9uZQ==' }), {
      ...head,
      name,
      causes: [invalid('spec.request', words)],
    });
    expectBadRequest(
      await post({ request: '!!' }),
      /^CertificateSigningRequest in version "v1" cannot be handled as a CertificateSigningRequest: illegal base64/,
    );
  },

  'a certificate request needs usages': async (world) => {
    const { name, post } = await start(world);
    expectInvalid(await post({ usages: [] }), { ...head, name, causes: [required('spec.usages')] });
    const { status, body } = await post({ usages: ['nonsense'] });
    expect([status, body.details.causes[0]]).toEqual([
      422,
      {
        reason: 'FieldValueNotSupported',
        field: 'spec.usages[0]',
        message: expect.stringMatching(
          /^Unsupported value: "nonsense": supported values: "any", "cert sign", /,
        ),
      },
    ]);
  },

  'a signer name has a domain and a path': async (world) => {
    const { name, post } = await start(world);
    expectInvalid(await post({ signerName: undefined }), {
      ...head,
      name,
      causes: [required('spec.signerName')],
    });
    const words =
      '"nodomain": must be a fully qualified domain and path of the form \'example.com/signer-name\'';
    expectInvalid(await post({ signerName: 'nodomain' }), {
      ...head,
      name,
      causes: [invalid('spec.signerName', words)],
    });
  },

  'a certificate is valid for at least ten minutes': async (world) => {
    const { name, post } = await start(world);
    const words = '5: may not specify a duration less than 600 seconds (10 minutes)';
    expectInvalid(await post({ expirationSeconds: 5 }), {
      ...head,
      name,
      causes: [invalid('spec.expirationSeconds', words)],
    });
  },

  'the spec of a certificate request is immutable': async (world) => {
    const { path, post, end } = await start(world);
    const { spec } = (await post()).body;
    const changed = await world.patch(path, 'merge', {
      spec: { username: 'other', usages: ['server auth'] },
    });
    expect([changed.status, changed.body.spec]).toEqual([200, spec]);
    await end();
  },

  'a certificate request is approved through the approval subresource only': async (world) => {
    const { path, post, approve, end } = await start(world);
    await post();
    const conditions = { status: { conditions: [approved] } };
    expect((await world.patch(path, 'merge', conditions)).body.status.conditions).toBeUndefined();
    const byStatus = await world.patch(`${path}/status`, 'merge', conditions);
    expect(byStatus.body.status?.conditions).toBeUndefined();
    const { status, body } = await approve(approved);
    expect([status, body.status.conditions[0]]).toEqual([200, expect.objectContaining(approved)]);
    expect(body.status.conditions[0].lastUpdateTime).toEqual(expect.any(String));
    await end();
  },

  'an approval condition must be True': async (world) => {
    const { name, post, approve, end } = await start(world);
    await post();
    expectInvalid(await approve({ type: 'Approved' }), {
      ...head,
      name,
      causes: [required('status.conditions[0].status')],
    });
    expectInvalid(await approve({ type: 'Approved', status: 'False' }), {
      ...head,
      name,
      causes: [unsupported('status.conditions[0].status', '"False": supported values: "True"')],
    });
    expectInvalid(await approve(approved, { type: 'Denied', status: 'True' }), {
      ...head,
      name,
      causes: [
        invalid('status.conditions', '"Denied": Approved and Denied conditions are mutually exclusive'),
      ],
    });
    await end();
  },

  'an approval cannot be removed, and cannot become a denial': async (world) => {
    const { name, post, approve, end } = await start(world);
    await post();
    await approve(approved);
    const words = 'updates may not remove a condition of type "Approved"';
    const causes = [forbidden('status.conditions', words)];
    expectInvalid(await approve(), { ...head, name, causes });
    expectInvalid(await approve({ type: 'Denied', status: 'True' }), { ...head, name, causes });
    await end();
  },

  'the approval subresource ignores the certificate, which the signer sets': async (world) => {
    const { path, post, end } = await start(world);
    await post();
    await world.patch(`${path}/approval`, 'merge', {
      status: { certificate: 'Zm9v', conditions: [approved] },
    });
    const certificate = async () => (await world.get(path)).body.status.certificate ?? '';
    await expect.poll(certificate).not.toBe('');
    const pem = Buffer.from(await certificate(), 'base64').toString();
    expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect(new x509.X509Certificate(pem).subjectName.getField('CN')).toEqual(['system:node:x']);
    await end();
  },

  'a denied certificate request gets no certificate': async (world) => {
    const { path, post, approve, end } = await start(world);
    await post();
    await approve({ type: 'Denied', status: 'True', reason: 'x' });
    expect((await world.get(path)).body.status.certificate).toBeUndefined();
    await end();
  },
};
