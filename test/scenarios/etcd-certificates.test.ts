import type { EtcdCertificates } from '@drover/cloud-sandbox/etcd';
import { createTestAuthority, type TestAuthority } from '@drover/cloud-sandbox/real/test-authority.ts';
import { expect, it } from 'vitest';
import { addEtcdGroup } from '../../local/etcd-group.ts';
import { clusterName, stateOf, terminate } from '../../local/world/drover-world.ts';
import { createEtcdDroverWorld, domain } from '../../local/world/etcd/etcd-world.ts';
import { inService, lastReason, untilWhole } from '../../local/world/etcd/expectations.ts';
import { encodeEtcdClientCredentials } from '../../shared/etcd/client-credentials.ts';

const year = 365 * 86_400_000;

/** Members that serve with certificates of an authority and ask for ones of it. */
async function createWorldWithCertificates() {
  const authority = await createTestAuthority('etcd', Date.parse('2024-01-01'));
  const certificates: EtcdCertificates = {
    authority: authority.certificate,
    serverAt: () => ({ names: [`*.${domain}`], validUntil: Date.parse('2039-01-01') }),
  };
  const world = createEtcdDroverWorld({ etcd: { certificates } });
  const { account } = world;
  const put = async (from: TestAuthority, validUntil: number): Promise<void> => {
    const validFrom = new Date('2024-06-01');
    const client = await from.issue({ commonName: 'drover', validFrom, validUntil: new Date(validUntil) });
    const Value = encodeEtcdClientCredentials({
      certificateAuthority: from.certificate,
      clientCertificate: client.certificate,
      clientKey: client.key,
    });
    account.ssm.operations.PutParameter(
      { Name: `/drover/${clusterName}/etcd-client`, Value, Type: 'SecureString', Overwrite: true },
      { principal: account.operator, requestId: 'test' },
    );
  };
  return { world, authority, put };
}

it('an expired client certificate is reported, the hook is held, and a new one is used within minutes', async () => {
  const { world, authority, put } = await createWorldWithCertificates();
  await put(authority, world.clock.now() + year);
  addEtcdGroup(world, { size: 3, heartbeatTimeoutSeconds: 1800 });
  await untilWhole(world, 3);
  await put(authority, world.clock.now() - 1000);
  await world.timeline.pass(600);
  const [leaving = ''] = inService(world);
  terminate(world, leaving);
  await world.timeline.pass(600);
  expect(stateOf(world, leaving)).toBe('Terminating:Wait');
  expect(lastReason(world)).toMatch(/certificate/);
  expect(JSON.stringify(world.lines)).not.toContain('PRIVATE KEY');
  await put(authority, world.clock.now() + year);
  await untilWhole(world, 3);
  expect(stateOf(world, leaving)).toBeUndefined();
});

it('members with certificates of another authority are not trusted, and nothing is changed', async () => {
  const { world, put } = await createWorldWithCertificates();
  await put(
    await createTestAuthority('another authority', Date.parse('2024-01-01')),
    world.clock.now() + year,
  );
  addEtcdGroup(world, { size: 1 });
  await world.timeline.pass(1800);
  expect(inService(world)).toEqual([]);
  expect(lastReason(world)).toMatch(/does not serve yet/);
});
