import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { createSandbox } from '@drover/cloud-sandbox';
import { describe, expect, test } from 'vitest';
import { createRollLaunches } from '../../../shared/aws/roll-launches.ts';
import type { AutoScalingGroup, LaunchSource } from '../../../shared/groups/group.ts';

type Call = { readonly input: Record<string, unknown> };

/** Clients that answer each call with what this function makes of its input. */
function answering(answer: (input: Record<string, unknown>) => object) {
  const inputs: Record<string, unknown>[] = [];
  const client = {
    send: async ({ input }: Call) => {
      inputs.push(input);
      return { $metadata: {}, ...answer(input) };
    },
  };
  return { inputs, launches: createRollLaunches({ ec2: client as never, autoScaling: client as never }) };
}

const groupOf = (launchSource: LaunchSource): AutoScalingGroup => ({
  autoScalingGroupName: 'workers',
  tags: {},
  minSize: 0,
  maxSize: 1,
  desiredCapacity: 1,
  instances: [],
  targetGroupArns: [],
  retainsAbandoned: false,
  launchSource,
});

const latest = { nameOrId: 'lt-0123456789abcdef0', version: '$Latest' };
const versionOf = (LaunchTemplateId: string, VersionNumber: number, ImageId: string | undefined) => ({
  LaunchTemplateVersions: [{ LaunchTemplateId, VersionNumber, LaunchTemplateData: { ImageId } }],
});

describe('what a group launches', () => {
  test('is the number and the image that EC2 resolves', async () => {
    const { inputs, launches } = answering(() => versionOf('lt-0123456789abcdef0', 7, 'ami-7'));
    const targets = await launches.readTargets([groupOf({ template: latest })]);
    expect(targets.get('workers')).toEqual({
      main: { templateId: 'lt-0123456789abcdef0', version: 7, imageId: 'ami-7' },
    });
    expect(inputs).toEqual([
      { LaunchTemplateId: 'lt-0123456789abcdef0', Versions: ['$Latest'], ResolveAlias: true },
    ]);
  });

  test('includes each template of its overrides once, and their digest', async () => {
    const arm = { nameOrId: 'arm', version: '3' };
    const { inputs, launches } = answering(({ LaunchTemplateName }) =>
      LaunchTemplateName === 'arm'
        ? versionOf('lt-0000000000000a64a', 3, 'ami-arm')
        : versionOf('lt-0123456789abcdef0', 7, 'ami-7'),
    );
    const overrides = [{ instanceType: 'm5.large' }, { template: arm }, { template: arm }];
    const group = groupOf({ template: latest, overrides, overridesDigest: 'abc' });
    expect((await launches.readTargets([group])).get('workers')).toEqual({
      main: { templateId: 'lt-0123456789abcdef0', version: 7, imageId: 'ami-7' },
      overrides: [{ templateId: 'lt-0000000000000a64a', version: 3, imageId: 'ami-arm' }],
      policyDigest: 'abc',
    });
    expect(inputs).toHaveLength(2);
  });

  test('includes the images of overrides that have their own', async () => {
    const { inputs, launches } = answering(() => versionOf('lt-0123456789abcdef0', 7, 'ami-7'));
    const group = groupOf({
      template: latest,
      overrides: [{ instanceType: 'm7g.large', imageId: 'ami-arm' }],
    });
    expect((await launches.readTargets([group])).get('workers')).toEqual({
      main: { templateId: 'lt-0123456789abcdef0', version: 7, imageId: 'ami-7' },
      overrides: [{ templateId: 'lt-0123456789abcdef0', version: 7, imageId: 'ami-arm' }],
    });
    expect(inputs).toHaveLength(1);
  });

  test.each<[string, LaunchSource, object, RegExp]>([
    ['a launch configuration', {}, {}, /launch configuration/],
    ['a template without an image', { template: latest }, versionOf('lt-1', 1, undefined), /has no image/],
    [
      'an image that EC2 did not resolve',
      { template: latest },
      versionOf('lt-1', 1, 'resolve:ssm:/images/node'),
      /is not resolved/,
    ],
    [
      'an override whose image EC2 does not resolve here',
      { template: latest, overrides: [{ imageId: 'resolve:ssm:/images/arm' }] },
      versionOf('lt-1', 1, 'ami-1'),
      /of an override is not resolved/,
    ],
    ['a version that is gone', { template: latest }, { LaunchTemplateVersions: [] }, /there is no version/],
  ])('is not known with %s', async (_, source, answer, why) => {
    const { launches } = answering(() => answer);
    const target = (await launches.readTargets([groupOf(source)])).get('workers');
    expect(target).toEqual({ unknown: expect.stringMatching(why) });
  });

  test.each([
    ['UnauthorizedOperation', /ssm:GetParameters/],
    ['InvalidLaunchTemplateId.NotFound', /there is no version/],
  ])('is not known if EC2 answers %s', async (name, why) => {
    const { launches } = answering(() => {
      throw Object.assign(new Error('no'), { name });
    });
    const target = (await launches.readTargets([groupOf({ template: latest })])).get('workers');
    expect(target).toEqual({ unknown: expect.stringMatching(why) });
  });

  test('rejects if EC2 does not answer', async () => {
    const { launches } = answering(() => {
      throw Object.assign(new Error('slower'), { name: 'RequestLimitExceeded' });
    });
    await expect(launches.readTargets([groupOf({ template: latest })])).rejects.toThrow('slower');
  });
});

describe('how an instance was launched', () => {
  test('is its image and its first launch, not the last start after a stop', async () => {
    const first = new Date('2026-11-20T08:00:00Z');
    const { launches } = answering(() => ({
      Reservations: [
        {
          Instances: [
            {
              InstanceId: 'i-1',
              ImageId: 'ami-1',
              LaunchTime: new Date('2026-11-29T08:00:00Z'),
              NetworkInterfaces: [{ Attachment: { DeviceIndex: 0, AttachTime: first } }],
            },
            { InstanceId: 'i-2', ImageId: 'ami-1' },
          ],
        },
      ],
    }));
    expect(await launches.readInstances(['i-1', 'i-2'])).toEqual(
      new Map([['i-1', { launchedAt: first.getTime(), imageId: 'ami-1' }]]),
    );
  });

  test('is read 200 instances at a time, and not at all for none', async () => {
    const { inputs, launches } = answering(() => ({ Reservations: [] }));
    await launches.readInstances([]);
    expect(inputs).toEqual([]);
    await launches.readInstances(Array.from({ length: 201 }, (_, index) => `i-${index}`));
    expect(inputs).toHaveLength(2);
  });

  test('is left out of an answer of the sandbox for an instance that it does not know', async () => {
    const sandbox = createSandbox();
    const settings = { ...sandbox.aws(), maxAttempts: 1 };
    const launches = createRollLaunches({
      ec2: new EC2Client(settings),
      autoScaling: new AutoScalingClient(settings),
    });
    const input = { MinCount: 1, MaxCount: 1, ImageId: 'ami-0123456789abcdef0', InstanceType: 'm5.large' };
    const [made] = sandbox.account.ec2.operations.RunInstances(input as never).Instances ?? [];
    const id = made?.InstanceId ?? '';
    const read = await launches.readInstances([id, 'i-0123456789abcdef0']);
    expect([...read]).toEqual([[id, { launchedAt: sandbox.clock.now(), imageId: 'ami-0123456789abcdef0' }]]);
  });
});

describe('what else replaces the instances of a group', () => {
  test.each([
    ['InProgress', 'refresh-1'],
    ['Baking', 'refresh-1'],
    ['Successful', undefined],
    ['RollbackFailed', undefined],
  ])('an instance refresh that is %s', async (Status, id) => {
    const { launches } = answering(() => ({
      InstanceRefreshes: [{ InstanceRefreshId: 'refresh-1', Status }],
    }));
    expect(await launches.findActiveRefresh('workers')).toBe(id);
  });

  test('a termination that has begun and not ended, which is not one in a warm pool', async () => {
    const [leaving, gone, pooled] = ['a', 'b', 'c'].map((end) => `i-0123456789abcde0${end}`);
    const EndTime = new Date('2026-11-29T10:00:00Z');
    const { launches } = answering(() => ({
      Activities: [
        { Description: `Terminating EC2 instance: ${leaving} - Waiting For Terminate Lifecycle Action` },
        { Description: `Terminating EC2 instance: ${gone}`, EndTime },
        { Description: `Terminating EC2 instance from warm pool: ${pooled}` },
        { Description: `Launching a new EC2 instance: i-0123456789abcde0d` },
      ],
    }));
    expect([...(await launches.readTerminating('workers'))]).toEqual([leaving]);
  });

  test('launches that have failed since the begin of the roll count, with the reason of the newest', async () => {
    const since = Date.parse('2026-11-29T08:00:00Z');
    const launch = (minutes: number, StatusCode: string) => ({
      Description: 'Launching a new EC2 instance: i-1',
      StatusCode,
      StatusMessage: `${StatusCode} at ${minutes}`,
      StartTime: new Date(since + minutes * 60_000),
      EndTime: new Date(since + minutes * 60_000 + 1),
    });
    const { launches } = answering(() => ({
      Activities: [
        launch(9, 'Successful'),
        launch(5, 'Failed'),
        launch(1, 'Cancelled'),
        launch(-1, 'Failed'),
      ],
    }));
    expect(await launches.readFailedLaunches('workers', since)).toEqual({
      count: 2,
      ended: 3,
      newest: 'Failed at 5',
    });
  });

  test('launches that have failed are counted over all pages, up to the first of before', async () => {
    const since = Date.parse('2026-11-29T08:00:00Z');
    const page = (at: number, next?: string) => ({
      Activities: [
        {
          Description: 'Launching a new EC2 instance: i-1',
          StatusCode: 'Failed',
          StartTime: new Date(at),
          EndTime: new Date(at + 1),
        },
      ],
      ...(next !== undefined && { NextToken: next }),
    });
    const pages: Readonly<Record<string, object>> = {
      first: page(since + 2, 'second'),
      second: page(since, 'third'),
      third: page(since - 1, 'fourth'),
    };
    const { launches, inputs } = answering(({ NextToken = 'first' }) => pages[String(NextToken)] ?? {});
    expect(await launches.readFailedLaunches('workers', since)).toEqual({ count: 2, ended: 2 });
    expect(inputs).toHaveLength(3);
  });
});
