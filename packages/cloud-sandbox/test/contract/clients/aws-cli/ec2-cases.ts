import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode } from './cli.ts';

const running = '--filters Name=tag:role,Values=worker Name=instance-state-name,Values=running';

const oneOf = async ({ aws }: CliWorld): Promise<string> =>
  (
    await aws(
      `ec2 describe-instances ${running} --output text --query Reservations[0].Instances[0].InstanceId`,
    )
  ).trim();

/** EC2. */
export const ec2Cases: Cases<CliWorld> = {
  'instances are found by tag and state, with what they are and when they came': async ({ json }) => {
    const found = await json(
      `ec2 describe-instances ${running} --query Reservations[].Instances[].[InstanceType,PrivateDnsName,LaunchTime]`,
    );
    expect(found).toHaveLength(3);
    expect(found).toContainEqual([
      'm5.large',
      expect.stringMatching(/^ip-10-0-\d+-\d+\.eu-west-1\.compute\.internal$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    ]);
  },

  'malformed ids and unknown ids are refused, each with its code': async ({ tried }) => {
    const of = async (id: string) => {
      const { code, stderr } = await tried(`ec2 describe-instances --instance-ids ${id}`);
      return [code, /\((\S+)\)/.exec(stderr)?.[1]];
    };
    expect(await of('i-0000')).toEqual([refusedCode, 'InvalidInstanceID.Malformed']);
    expect(await of('i-00000000000000000')).toEqual([refusedCode, 'InvalidInstanceID.NotFound']);
  },

  'tags are put on an instance, found again, and taken off': async (world) => {
    const { aws, json, name } = world;
    const instance = await oneOf(world);
    await aws(`ec2 create-tags --resources ${instance} --tags Key=${name},Value=here`);
    const found = `ec2 describe-instances --filters Name=tag:${name},Values=here --query Reservations[].Instances[].InstanceId`;
    expect(await json(found)).toEqual([instance]);
    const tag = `ec2 describe-tags --filters Name=resource-id,Values=${instance} Name=key,Values=${name} --query Tags[0].[ResourceType,Value]`;
    expect(await json(tag)).toEqual(['instance', 'here']);
    await aws(`ec2 delete-tags --resources ${instance} --tags Key=${name}`);
    expect(await json(found)).toEqual([]);
  },

  'a dry run says that the call would have gone through, and does nothing': async (world) => {
    const instance = await oneOf(world);
    expect(await world.tried(`ec2 terminate-instances --dry-run --instance-ids ${instance}`)).toMatchObject({
      code: refusedCode,
      stderr: expect.stringContaining('(DryRunOperation)'),
    });
    await world.aws(`ec2 wait instance-running --instance-ids ${instance}`);
  },

  'a launch template gets versions, of which one is the default': async ({ aws, json, name }) => {
    const template = `--launch-template-name ${name}`;
    const data = (type: string) => JSON.stringify({ InstanceType: type, ImageId: 'ami-0123456789abcdef0' });
    await aws(`ec2 create-launch-template ${template} --launch-template-data`, data('m5.large'));
    await aws(
      `ec2 create-launch-template-version ${template} --source-version 1 --launch-template-data`,
      data('m5.xlarge'),
    );
    await aws(`ec2 modify-launch-template ${template} --default-version 2`);
    const versions = await json(
      `ec2 describe-launch-template-versions ${template} --query LaunchTemplateVersions[].[VersionNumber,DefaultVersion,LaunchTemplateData.InstanceType]`,
    );
    expect(versions).toEqual([
      [2, true, 'm5.xlarge'],
      [1, false, 'm5.large'],
    ]);
    await aws(`ec2 delete-launch-template ${template}`);
  },
};
