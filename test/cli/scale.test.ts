import { createGroup, putHook } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { readyNode, workerTags } from '../shared/scale-api/scale-api-world.ts';
import { createScaleCli } from './scale-api-door.ts';

let cli: ReturnType<typeof createScaleCli>;
const joinAll = (): void => {
  for (const { InstanceId = '', LifecycleState } of cli.group().Instances ?? [])
    if (LifecycleState === 'InService') cli.cluster.nodes.set(InstanceId, readyNode(InstanceId));
};

beforeEach(() => {
  cli = createScaleCli();
  joinAll();
});

describe('drover groups', () => {
  it('prints a line for each managed group', async () => {
    const { exitCode, stdout } = await cli.drover('groups');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['NAME', 'ROLE', 'MIN', 'DESIRED', 'MAX', 'IN-SERVICE', 'READY', 'LEAVING'],
      ['workers', 'worker', '1', '2', '5', '2', '2', '0'],
      [''],
    ]);
  });

  it('prints question marks and the reason if the cluster cannot be reached', async () => {
    cli.cluster.failure = new Error('connection refused');
    const { exitCode, stdout } = await cli.drover('groups');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/workers.*\?/);
    expect(stdout).toContain('?: the Nodes of the cluster could not be listed: the log of scale-api');
  });

  it('prints the instances of one group with their nodes', async () => {
    const [first = '', second = ''] = [...cli.cluster.nodes.keys()];
    cli.cluster.nodes.delete(second);
    const { stdout } = await cli.drover('groups workers');
    expect(stdout).toMatch(new RegExp(`${first} +InService +eu-west-1\\w +node-of-${first} +Ready`));
    expect(stdout).toMatch(new RegExp(`${second} +InService +eu-west-1\\w +- +has no Node`));
  });

  it('prints the answer of the API with --json', async () => {
    const { stdout } = await cli.drover('groups --json');
    expect(JSON.parse(stdout)).toMatchObject([{ autoScalingGroupName: 'workers', nodes: { ready: 2 } }]);
  });

  it('encodes the name of a group in the URL', async () => {
    createGroup(cli.cloud, { AutoScalingGroupName: 'team/a&b', Tags: workerTags() });
    expect(await cli.drover('groups team/a&b')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('drover scale', () => {
  it('sets the capacity and prints the effect', async () => {
    expect(await cli.drover('scale workers 4')).toEqual({
      exitCode: 0,
      stdout: 'workers: 2 -> 4; Auto Scaling launches 2 instances\n',
      stderr: '',
    });
    expect(cli.group().DesiredCapacity).toBe(4);
  });

  it('changes nothing in a dry run', async () => {
    const { stdout } = await cli.drover('scale workers 4 --dry-run');
    expect(stdout).toBe('workers: 2 -> 4; Auto Scaling launches 2 instances (dry run)\n');
    expect(cli.group().DesiredCapacity).toBe(2);
  });

  it('waits until the nodes are Ready, and prints each step once', async () => {
    let pauses = 0;
    cli.machine.onPause = () => {
      pauses += 1;
      if (pauses > 40) joinAll();
    };
    const { exitCode, stdout } = await cli.drover('scale workers 3 --wait');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/2 of 3 nodes are Ready\n {2}i-\w+ is in service and has no Node\n/);
    expect(stdout.endsWith('workers: 3 of 3 nodes are Ready\n')).toBe(true);
    const lines = stdout.split('\n');
    expect(lines.length).toBe(new Set(lines).size);
  });

  it('waits until the leaving nodes are drained and terminated', async () => {
    putHook(cli.cloud, { HeartbeatTimeout: 300 });
    const { exitCode, stdout } = await cli.drover('scale workers 1 --wait');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/i-\w+ is Terminating:Wait/);
    expect(cli.group().Instances).toHaveLength(1);
  });

  it('does not wait for an instance that something else terminates meanwhile, nor report it as its own', async () => {
    putHook(cli.cloud, { HeartbeatTimeout: 300 });
    const states = () => (cli.group().Instances ?? []).map(({ LifecycleState }) => LifecycleState);
    await cli.drover('scale workers 3 --wait --timeout 1s');
    joinAll();
    let stranger = '';
    cli.machine.onPause = () => {
      joinAll();
      if (stranger !== '' || !states().includes('Terminating:Wait')) return;
      stranger =
        cli.group().Instances?.find(({ LifecycleState }) => LifecycleState === 'InService')?.InstanceId ?? '';
      cli.cloud.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: stranger,
        ShouldDecrementDesiredCapacity: false,
      });
    };
    const { exitCode, stdout } = await cli.drover('scale workers 2 --wait --json');
    expect(exitCode).toBe(0);
    expect(states().join()).toContain('Terminating:');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const waited = lines.flatMap(({ waitingFor = [] }) => waitingFor as { instanceId: string }[]);
    expect(waited.length).toBeGreaterThan(0);
    expect(waited.map(({ instanceId }) => instanceId)).not.toContain(stranger);
    expect(lines.at(-1)).toMatchObject({
      state: 'settled',
      instances: { terminating: 1 },
      reason: expect.stringMatching(
        /^no instance of the change is terminating, .*; 1 more leaves for another reason$/,
      ),
    });
  });

  it('exits with its own code at the timeout, and keeps the new capacity', async () => {
    const { exitCode, stderr } = await cli.drover('scale workers 3 --wait --timeout 2m');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('the timeout has passed: 2 of 3 nodes are Ready; the change remains in effect');
    expect(cli.group().DesiredCapacity).toBe(3);
  });

  it('stops waiting if another capacity is set meanwhile', async () => {
    cli.machine.onPause = () => {
      cli.cloud.autoScaling.operations.SetDesiredCapacity({
        AutoScalingGroupName: 'workers',
        DesiredCapacity: 5,
      });
    };
    const { exitCode, stderr } = await cli.drover('scale workers 3 --wait');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('the desired capacity is 5 now, not 3');
  });

  it('warns while the API does not respond, and continues to wait', async () => {
    cli.machine.onPause = () => {
      joinAll();
      cli.machine.outage = 1;
      cli.machine.onPause = joinAll;
    };
    const { exitCode, stderr } = await cli.drover('scale workers 3 --wait');
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'warning: the scale API at sandbox.execute-api.eu-west-1.amazonaws.com does not answer GET /groups/workers/capacity (check --endpoint or DROVER_API_URL)\n',
    );
  });

  it('prints one JSON object per line while it waits', async () => {
    cli.machine.onPause = joinAll;
    const { stdout } = await cli.drover('scale workers 3 --wait --json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ event: 'accepted', direction: 'out' });
    expect(lines.at(-1)).toMatchObject({ event: 'status', state: 'settled' });
  });

  it('does not print the same status twice in a row, also as JSON', async () => {
    let pauses = 0;
    cli.machine.onPause = () => {
      pauses += 1;
      if (pauses === 4) joinAll();
    };
    const { stdout } = await cli.drover('scale workers 3 --wait --json');
    const lines = stdout.trim().split('\n');
    expect(pauses).toBeGreaterThanOrEqual(4);
    expect(lines.filter((line, index) => line === lines[index - 1])).toEqual([]);
    expect(lines.length).toBeLessThan(pauses + 2);
  });

  it('prints why the API refused the request', async () => {
    expect(await cli.drover('scale workers 9')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr:
        'drover: The capacity is out of bounds: it must be from 1 to 5, the MinSize and MaxSize of the group; with raiseMaxSize it may be larger\n',
    });
    expect(await cli.drover('scale nowhere 2')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The managed group does not exist'),
    });
  });

  it.each(['scale workers', 'scale workers many', 'scale workers -- -1', 'scale workers 3 --timeout soon'])(
    'reports %s as a usage error',
    async (line) => {
      expect(await cli.drover(line)).toMatchObject({ exitCode: 2 });
      expect(cli.group().DesiredCapacity).toBe(2);
    },
  );
});

describe('a call to the API', () => {
  it('is signed', async () => {
    expect(await cli.drover('groups --no-sign')).toMatchObject({ exitCode: 1 });
    expect(await cli.drover('groups', { AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({ exitCode: 1 });
  });

  it('fails without the address of the API, and explains how to set it', async () => {
    expect(await cli.drover('scale workers 3', { DROVER_API_URL: '' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('DROVER_API_URL'),
    });
  });

  it.each(['http://api.example', 'ftp://api.example', 'https://user@api.example', 'workers'])(
    'refuses %s as the address',
    async (url) => {
      expect(await cli.drover(`groups --endpoint ${url}`)).toMatchObject({ exitCode: 2 });
    },
  );

  it('needs a region if the address contains none', async () => {
    expect(await cli.drover('groups --endpoint https://api.example')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('AWS_REGION'),
    });
    const told = await cli.drover('groups --endpoint https://api.example --region eu-west-1');
    expect(told.exitCode).toBe(0);
  });
});
