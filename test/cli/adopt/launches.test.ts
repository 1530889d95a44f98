import type { MixedInstancesPolicy } from '@aws-sdk/client-auto-scaling';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { kubeadmWorld } from './worlds.ts';

const files = { 'node.yaml': '#cloud-config\nruncmd: [systemctl restart kubelet]\n' };
const script = '#!/bin/bash\necho hello\n';
const line = 'adopt workers --user-data node.yaml';

const ec2 = ({ account }: DroverWorld) => account.ec2.operations;
const autoScaling = ({ account }: DroverWorld) => account.autoScaling.operations;

const groupOf = (world: DroverWorld) =>
  autoScaling(world).DescribeAutoScalingGroups({ AutoScalingGroupNames: ['workers'] }).AutoScalingGroups[0];

const versionsOf = (world: DroverWorld, LaunchTemplateName = 'workers') =>
  ec2(world)
    .DescribeLaunchTemplateVersions({ LaunchTemplateName })
    .LaunchTemplateVersions.toReversed()
    .map(({ LaunchTemplateData }) => LaunchTemplateData);

const textOf = (userData: string | undefined): string =>
  Buffer.from(userData ?? '', 'base64').toString('utf8');

/** The group launches from version 2, which has a script, and which is not the latest. */
async function withScript(version = '2'): Promise<DroverWorld> {
  const world = await kubeadmWorld();
  for (const UserData of [script, '#!/bin/bash\necho later\n'])
    ec2(world).CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      SourceVersion: '1',
      LaunchTemplateData: {
        UserData: Buffer.from(UserData).toString('base64'),
        MetadataOptions: { HttpPutResponseHopLimit: 2 },
      },
    });
  autoScaling(world).UpdateAutoScalingGroup({
    AutoScalingGroupName: 'workers',
    LaunchTemplate: { LaunchTemplateName: 'workers', Version: version },
  });
  return world;
}

describe('the user data of adopted groups', () => {
  it('is a new version of the one that the group uses, and the group moves in a step of its own', async () => {
    const world = await withScript();
    const drover = operatorOf(world, { files });
    const { out } = await drover(`${line} --yes`);
    expect(out).toMatch(/done: user data of workers in launch template workers[^]*done: launches of workers/);
    const versions = versionsOf(world);
    expect(versions).toHaveLength(4);
    expect(textOf(versions[3]?.UserData)).toContain(script);
    expect(textOf(versions[3]?.UserData)).toContain(files['node.yaml']);
    // Pods that read the metadata service stop with a hop limit of 1.
    expect(versions[3]?.MetadataOptions?.HttpPutResponseHopLimit).toBe(2);
    expect(versions[3]?.ImageId).toBe(versions[0]?.ImageId);
    expect(groupOf(world)?.LaunchTemplate?.Version).toBe('4');
    expect(await drover(`${line} --check`)).toMatchObject({ code: 0 });
    expect(await drover(`${line} --yes`)).toMatchObject({ out: expect.stringMatching(/^nothing to change/) });
    expect(versionsOf(world)).toHaveLength(4);
  });

  it('of a group with $Latest changes with the version, which the step says', async () => {
    const world = await withScript('$Latest');
    const drover = operatorOf(world, { files });
    expect((await drover(`${line} --plan`)).out).toContain(
      'The group has $Latest, so its next launch uses it',
    );
    expect((await drover(`${line} --yes`)).out).not.toContain('done: launches of workers');
    expect(groupOf(world)?.LaunchTemplate?.Version).toBe('$Latest');
    expect(textOf(versionsOf(world)[3]?.UserData)).toContain('echo later');
    expect(await drover(`${line} --check`)).toMatchObject({ code: 0 });
  });

  it('of a group with $Default does not change the default version, which others use too', async () => {
    const world = await withScript('$Default');
    const drover = operatorOf(world, { files });
    expect((await drover(`${line} --yes`)).out).toContain('give the group $Default again');
    expect(groupOf(world)?.LaunchTemplate?.Version).toBe('4');
    const [template] = ec2(world).DescribeLaunchTemplates({
      LaunchTemplateNames: ['workers'],
    }).LaunchTemplates;
    expect(template?.DefaultVersionNumber).toBe(1);
  });

  it('keeps the overrides of a mixed instances policy, and moves those with their own template', async () => {
    const world = await withScript();
    ec2(world).CreateLaunchTemplate({
      LaunchTemplateName: 'arm',
      LaunchTemplateData: {
        ImageId: 'ami-0123456789abcdef1',
        UserData: Buffer.from(script).toString('base64'),
      },
    });
    const specification = (LaunchTemplateName: string, Version: string) => ({ LaunchTemplateName, Version });
    const policy: MixedInstancesPolicy = {
      LaunchTemplate: {
        LaunchTemplateSpecification: specification('workers', '2'),
        Overrides: [
          { InstanceType: 'm5.large' },
          { InstanceType: 'm6g.large', LaunchTemplateSpecification: specification('arm', '1') },
        ],
      },
      InstancesDistribution: { OnDemandBaseCapacity: 1, SpotAllocationStrategy: 'price-capacity-optimized' },
    };
    autoScaling(world).UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      MixedInstancesPolicy: policy,
    });
    const drover = operatorOf(world, { files });
    const { code, err } = await drover(`${line} --yes`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const after = groupOf(world)?.MixedInstancesPolicy;
    expect(after?.LaunchTemplate?.LaunchTemplateSpecification?.Version).toBe('4');
    expect(after?.LaunchTemplate?.Overrides).toMatchObject([
      { InstanceType: 'm5.large' },
      { InstanceType: 'm6g.large', LaunchTemplateSpecification: { Version: '2' } },
    ]);
    expect(after?.InstancesDistribution).toMatchObject(policy.InstancesDistribution ?? {});
    expect(textOf(versionsOf(world, 'arm')[1]?.UserData)).toContain('restart kubelet');
    expect(await drover(`${line} --check`)).toMatchObject({ code: 0 });
  });

  it('keeps two versions of one template apart, and moves no version that someone has set meanwhile', async () => {
    const world = await withScript();
    const policy = (base: string, override: string): MixedInstancesPolicy => ({
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: base },
        Overrides: [
          {
            InstanceType: 'm6g.large',
            LaunchTemplateSpecification: { LaunchTemplateName: 'workers', Version: override },
          },
        ],
      },
    });
    const set = (base: string, override: string) =>
      autoScaling(world).UpdateAutoScalingGroup({
        AutoScalingGroupName: 'workers',
        MixedInstancesPolicy: policy(base, override),
      });
    const versions = () => {
      const { LaunchTemplateSpecification: base, Overrides = [] } =
        groupOf(world)?.MixedInstancesPolicy?.LaunchTemplate ?? {};
      return [base?.Version, Overrides[0]?.LaunchTemplateSpecification?.Version];
    };
    set('2', '3');
    const drover = operatorOf(world, {
      files,
      onOutput: (text) => {
        if (text.includes('in launch template workers') && versions()[1] === '3') set('2', '1');
      },
    });
    expect((await drover(`${line} --yes`)).code).toBe(0);
    expect(textOf(versionsOf(world)[3]?.UserData)).toContain('echo hello');
    expect(textOf(versionsOf(world)[4]?.UserData)).toContain('echo later');
    expect(versions()).toEqual(['4', '1']);
    set('2', '3');
    expect((await operatorOf(world, { files })(`${line} --yes`)).code).toBe(0);
    const [base = '', override = ''] = versions();
    expect(textOf(versionsOf(world)[Number(base) - 1]?.UserData)).toContain('echo hello');
    expect(textOf(versionsOf(world)[Number(override) - 1]?.UserData)).toContain('echo later');
  });

  it('that joins a cluster itself is refused with its line, and nothing of the group changes', async () => {
    const world = await withScript();
    ec2(world).CreateLaunchTemplateVersion({
      LaunchTemplateName: 'workers',
      LaunchTemplateData: {
        UserData: Buffer.from('#!/bin/sh\nkubeadm join --token abcdef.0123456789abcdef x\n').toString(
          'base64',
        ),
      },
    });
    autoScaling(world).UpdateAutoScalingGroup({
      AutoScalingGroupName: 'workers',
      LaunchTemplate: { LaunchTemplateName: 'workers', Version: '4' },
    });
    const { code, out, err } = await operatorOf(world, { files })(`${line} --yes`);
    expect([code, err]).toEqual([1, expect.stringContaining('line 2 of it joins a cluster (kubeadm join)')]);
    expect(out + err).not.toContain('0123456789abcdef x');
    expect(groupOf(world)?.Tags).not.toContainEqual(expect.objectContaining({ Key: 'drover.dev/role' }));
  });

  it('ends the same if the command is killed at any call and run again', async () => {
    const whole = await withScript();
    let calls = 0;
    await operatorOf(whole, { files, onAwsCall: () => (calls += 1) })(`${line} --yes`);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: calls }), async (last) => {
        const world = await withScript();
        let count = 0;
        const onAwsCall = (): void => {
          count += 1;
          if (count === last) throw new Error('killed');
        };
        await operatorOf(world, { files, onAwsCall })(`${line} --yes`);
        expect((await operatorOf(world, { files })(`${line} --yes`)).code).toBe(0);
        expect(groupOf(world)?.LaunchTemplate).toMatchObject({ Version: '4' });
        expect(versionsOf(world)).toEqual(versionsOf(whole));
      }),
      { numRuns: 12 },
    );
  });
});
