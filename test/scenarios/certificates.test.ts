import { describe, expect, test } from 'vitest';
import { instanceUser, nodeUser, tokenUser } from '../../local/world/certificates/requests.ts';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../local/world/drover-world.ts';
import { askForCertificate, requestsPath } from '../support/certificates/kubelet.ts';
import { nodeNameOf } from '../support/observed-instance.ts';

async function worldWithNode() {
  const world = createDroverWorld();
  const [instanceId = '', other = ''] = await withWorkers(world, { size: 2 });
  const instanceOf = (id: string) =>
    world.account.ec2.operations.DescribeInstances({ InstanceIds: [id] }).Reservations?.[0]?.Instances?.[0];
  return {
    world,
    instanceId,
    other,
    node: nodeNameOf(world, instanceId),
    address: instanceOf(instanceId)?.PrivateIpAddress ?? '',
    otherAddress: instanceOf(other)?.PrivateIpAddress ?? '',
  };
}

/** An instance outside all groups, in a VPC with the same addresses, with this private DNS name. */
function launchStranger({ account: { ec2 } }: DroverWorld, privateDnsName: string): string {
  const [subnet] = ec2.instances.addVpc().subnets;
  for (let tries = 0; tries < 20; tries++) {
    const { Instances } = ec2.operations.RunInstances({
      MinCount: 1,
      MaxCount: 1,
      ImageId: 'ami-0123456789abcdef0',
      InstanceType: 'm5.large',
      ...(subnet && { SubnetId: subnet.subnetId }),
    });
    const [{ InstanceId = '', PrivateDnsName = '' } = {}] = Instances ?? [];
    if (PrivateDnsName === privateDnsName) return InstanceId;
  }
  throw new Error(`no instance has the name ${privateDnsName}`);
}

const subjectOf = (node: string) => `O=system:nodes,CN=system:node:${node}`;

describe('the next run of certificate-requests', () => {
  test('approves the serving certificate of a node for its own name and address', async () => {
    const { world, node, address } = await worldWithNode();
    const verdict = await askForCertificate(world, {
      name: 'serving',
      user: nodeUser(node),
      signer: 'serving',
      subject: subjectOf(node),
      dnsNames: [node],
      ipAddresses: [address],
    });
    expect(verdict()).toBe('pending');
    await world.timeline.pass(61);
    expect(verdict()).toBe('Approved');
    expect(world.problems).toEqual([]);
  });

  test('renews a node while a stranger in another VPC has its private DNS name, running or stopped', async () => {
    const { world, node, address } = await worldWithNode();
    const stranger = launchStranger(world, node);
    const ask = async (name: string) => [
      await askForCertificate(world, {
        name: `${name}-client`,
        user: nodeUser(node),
        signer: 'client',
        subject: subjectOf(node),
      }),
      await askForCertificate(world, {
        name: `${name}-serving`,
        user: nodeUser(node),
        signer: 'serving',
        subject: subjectOf(node),
        ipAddresses: [address],
      }),
    ];
    const running = await ask('running');
    await world.timeline.pass(61);
    world.account.ec2.operations.StopInstances({ InstanceIds: [stranger] });
    const stopped = await ask('stopped');
    await world.timeline.pass(61);
    expect([...running, ...stopped].map((verdict) => verdict())).toEqual(Array(4).fill('Approved'));
  });

  test('denies a serving certificate for the address of another instance, and says which', async () => {
    const { world, node, instanceId, otherAddress } = await worldWithNode();
    const verdict = await askForCertificate(world, {
      name: 'serving',
      user: nodeUser(node),
      signer: 'serving',
      subject: subjectOf(node),
      ipAddresses: [otherAddress],
    });
    await world.timeline.pass(61);
    expect(verdict()).toBe(`Denied: Drover: address ${otherAddress} is not one of instance ${instanceId}`);
  });

  test('approves a new key of an instance that proves itself, and denies it the name of another', async () => {
    const { world, node, instanceId, other } = await worldWithNode();
    const ask = (name: string, id: string) =>
      askForCertificate(world, {
        name,
        user: instanceUser(id),
        signer: 'client',
        subject: subjectOf(node),
      });
    const own = await ask('own', instanceId);
    const foreign = await ask('foreign', other);
    await world.timeline.pass(61);
    expect(own()).toBe('Approved');
    expect(foreign()).toMatch(/^Denied: Drover: the credential is that of instance i-/);
  });

  test('writes one line an hour about a request that waits, not one a minute', async () => {
    const { world, node } = await worldWithNode();
    await askForCertificate(world, {
      name: 'stolen',
      user: tokenUser,
      signer: 'client',
      subject: subjectOf(node),
    });
    await world.timeline.pass(61);
    const before = world.lines.length;
    await world.timeline.pass(5 * 3600);
    const lines = world.lines
      .slice(before)
      .filter(
        ({ functionName, message }) => functionName === 'certificate-requests' && message !== undefined,
      );
    const about = (words: string) => lines.filter(({ message }) => String(message).startsWith(words)).length;
    expect(about('several keys')).toBeGreaterThanOrEqual(4);
    expect(about('several keys')).toBeLessThanOrEqual(6);
    expect(about('certificate requests')).toBeLessThanOrEqual(6);
  });

  test('leaves a stolen token without the certificate of a Ready node, and names the conflict', async () => {
    const { world, node } = await worldWithNode();
    const verdict = await askForCertificate(world, {
      name: 'stolen',
      user: tokenUser,
      signer: 'client',
      subject: subjectOf(node),
    });
    await world.timeline.pass(61);
    expect(verdict()).toBe('pending');
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        functionName: 'certificate-requests',
        message: 'several keys ask for one name: no certificate is approved',
        request: 'stolen',
        node,
      }),
    );
    expect(world.lines).toContainEqual(expect.objectContaining({ CertificateConflicts: 1 }));
  });

  test('waits for an instance that EC2 may not know yet, and denies once it must', async () => {
    const { world } = await worldWithNode();
    const verdict = await askForCertificate(world, {
      name: 'unknown',
      user: tokenUser,
      signer: 'client',
      subject: subjectOf('ip-10-9-9-9.eu-west-1.compute.internal'),
    });
    await world.timeline.pass(200);
    expect(verdict()).toBe('pending');
    await world.timeline.pass(200);
    expect(verdict()).toBe('Denied: Drover: no instance has this name');
  });

  test('does not overwrite the decision of an operator', async () => {
    const { world, node } = await worldWithNode();
    const verdict = await askForCertificate(world, {
      name: 'renewal',
      user: nodeUser(node),
      signer: 'client',
      subject: subjectOf(node),
    });
    await world.kubernetes.sendHttp({
      method: 'PATCH',
      url: `https://kubernetes.sandbox${requestsPath}/renewal/approval`,
      headers: {
        authorization: `Bearer ${world.kubernetes.adminToken}`,
        'content-type': 'application/merge-patch+json',
      },
      body: JSON.stringify({
        status: { conditions: [{ type: 'Denied', status: 'True', reason: 'ByHand', message: 'not today' }] },
      }),
      timeoutMilliseconds: 1000,
    });
    await world.timeline.pass(61);
    expect(verdict()).toBe('Denied: not today');
  });
});
