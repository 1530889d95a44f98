import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../../cli/doctor/report.ts';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { operatorOf } from '../operator.ts';
import { createHealthyWorld, examine } from './examine.ts';

const caller = ({ account }: DroverWorld) => ({ principal: account.operator, requestId: 'test' });

describe('what drover doctor finds of parameters and credentials', () => {
  it('prints the command that makes the missing kubeconfig, and is satisfied once it was run', async () => {
    const world = await createHealthyWorld();
    const Name = '/drover/drover/kubeconfig';
    world.account.ssm.operations.DeleteParameter({ Name });
    const missing = (await examine(world)).wrong.find(({ subject }) => subject === Name);
    expect(missing).toMatchObject({
      check: 'parameters',
      verdict: 'fix',
      message: expect.stringContaining('on EKS'),
      command: 'drover kubeconfig --cluster drover',
    });
    expect(await operatorOf(world)('kubeconfig --cluster drover --yes')).toMatchObject({ code: 0 });
    expect((await examine(world)).wrong.filter(({ subject }) => subject === Name)).toEqual([]);
  });

  it('prints a command with which Parameter Store takes a large kubeconfig, if that is for fewer needs than the ServiceAccount’s', async () => {
    const world = await createHealthyWorld();
    const { operations } = world.account.ssm;
    const Name = '/drover/drover/reader';
    const environment = {
      DROVER_KUBECONFIG_PARAMETER: '/other/main',
      DROVER_READER_KUBECONFIG_PARAMETER: Name,
    };
    const { out } = await operatorOf(world, { environment })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    const commandOf = (name: string) =>
      findings.find(({ check, subject }) => check === 'parameters' && subject === name)?.command ?? '';
    expect(commandOf('/other/main')).toBe('drover kubeconfig --cluster drover --parameter /other/main');
    const flag = (name: string) => new RegExp(`--${name} (\\S+)`).exec(commandOf(Name))?.[1];
    // As large as a kubeconfig with a client certificate of 4096 bits.
    const kubeconfig = { Name: flag('name'), Type: flag('type') as 'SecureString', Value: 'x'.repeat(5400) };
    expect(() => operations.PutParameter(kubeconfig, caller(world))).toThrow(/4096/);
    const Tier = flag('tier') as 'Intelligent-Tiering';
    expect(operations.PutParameter({ ...kubeconfig, Tier }, caller(world)).Tier).toBe('Advanced');
  });

  it('finds a kubeconfig that functions cannot use and a foreign bootstrap credential, and prints nothing of them', async () => {
    const world = await createHealthyWorld();
    const put = (name: string, Value: string) =>
      world.account.ssm.operations.PutParameter(
        { Name: `/drover/drover/${name}`, Type: 'SecureString', Overwrite: true, Value },
        caller(world),
      );
    put('kubeconfig', '{ "clusters": "s3cret" }');
    put('bootstrap-kubeconfig', 's3cret');
    const { report, wrong } = await examine(world);
    expect(wrong.filter(({ check }) => check === 'credentials')).toEqual([
      expect.objectContaining({
        verdict: 'fix',
        subject: '/drover/drover/kubeconfig',
        message: expect.stringContaining('clusters: '),
        command: 'drover kubeconfig --cluster drover',
      }),
      expect.objectContaining({
        verdict: 'advice',
        message: expect.stringContaining('not a bootstrap kubeconfig'),
      }),
    ]);
    expect(JSON.stringify(report)).not.toContain('s3cret');
  });

  it('advises, and does not fail, where the operator may not decrypt what the parameters hold', async () => {
    const world = await createHealthyWorld();
    const actions = ['autoscaling:*', 'ssm:GetParameters'];
    const { out } = await operatorOf(world, { actions })('doctor --json');
    const { findings } = JSON.parse(out) as DoctorReport;
    const found = findings.filter(({ check }) => check === 'credentials');
    expect(found.map(({ verdict, subject }) => [verdict, subject])).toEqual([
      ['advice', '/drover/drover/kubeconfig'],
      ['advice', '/drover/drover/bootstrap-kubeconfig'],
    ]);
  });

  it('names an overdue credential to who may not decrypt it', async () => {
    const world = await createHealthyWorld();
    await world.timeline.pass(190 * 60);
    const environment = { DROVER_BOOTSTRAP_ROTATION: '2h' };
    const read = [
      'autoscaling:*',
      'ec2:*',
      'events:*',
      'cloudwatch:*',
      'sqs:*',
      'scheduler:*',
      'lambda:*',
      'iam:Get*',
    ];
    const actions = [...read, 'ssm:DescribeParameters', 'ssm:GetParametersByPath'];
    const { code, out } = await operatorOf(world, { actions, environment })('doctor --json');
    expect(code).toBe(1);
    expect((JSON.parse(out) as DoctorReport).findings).toContainEqual(
      expect.objectContaining({
        check: 'problems',
        verdict: 'fix',
        message: expect.stringContaining('bootstrap credential of worker nodes is 3h'),
      }),
    );
  });
});
