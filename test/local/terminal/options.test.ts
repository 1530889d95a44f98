import { documentedLimits } from '@drover/cloud-sandbox/aws';
import { expect, test } from 'vitest';
import { help, readCommandLine } from '../../../local/terminal/options.ts';

test('without flags the sandbox plays a story at speed 1', () => {
  expect(readCommandLine([])).toEqual({
    kind: 'run',
    options: {
      speed: 1,
      seed: 1,
      basePort: 4566,
      story: true,
      json: false,
      environmentFile: '.drover/environment.json',
    },
  });
});

test('every flag sets its option', () => {
  const args = ['--speed', '2.5', '--seed=7', '--no-story', '--port', '0', '--json', '--environment=e'];
  expect(readCommandLine(args)).toEqual({
    kind: 'run',
    options: { speed: 2.5, seed: 7, basePort: 0, story: false, json: true, environmentFile: 'e' },
  });
  expect(readCommandLine(['-h']).kind).toBe('help');
});

test.each(['kubecfn', 'openshift-iam', 'openshift-asg', 'eks-join', 'eks-auth'])(
  '--story %s plays that document',
  (name) => {
    expect(readCommandLine(['--story', name])).toMatchObject({ options: { seedStory: { name } } });
  },
);

test.each([
  ['documented', documentedLimits],
  ['autoscaling=20/5', { autoScaling: { calls: { burst: 20, perSecond: 5 } } }],
  [
    'documented,iam=2/0.5,ssm=1/1',
    {
      ...documentedLimits,
      iam: { burst: 2, perSecond: 0.5 },
      ssmReads: { burst: 1, perSecond: 1 },
    },
  ],
])('--request-limits %s sets buckets of AWS', (text, requestLimits) => {
  expect(readCommandLine(['--request-limits', text])).toMatchObject({ options: { requestLimits } });
});

test.each(['autoscaling', 'elb', 'events', 'iam', 'scheduler', 'sqs', 'ssm', 'sts', 'ec2'])(
  '--request-limits takes %s, and sets no bucket of another service',
  (service) => {
    const read = readCommandLine(['--request-limits', `${service}=7/3`]);
    const { requestLimits = {} } = read.kind === 'run' ? read.options : {};
    expect(Object.keys(requestLimits)).toHaveLength(1);
    expect(JSON.stringify(requestLimits)).toContain('{"burst":7,"perSecond":3}');
  },
);

test.each([
  [['--speed', '0'], '--speed takes a number from 0.1 to 100, not "0"'],
  [['--speed', ''], '--speed takes a number from 0.1 to 100, not ""'],
  [['--speed', 'fast'], '--speed takes a number from 0.1 to 100, not "fast"'],
  [['--story', 'eks'], '--story takes kubecfn, openshift-iam, openshift-asg, eks-join, eks-auth, not "eks"'],
  [['--story', 'eks-join', '--no-story'], '--story and --no-story exclude each other'],
  [['--seed', '1.5'], '--seed takes a whole number from 0 to 4294967295, not "1.5"'],
  [['--port', '65529'], '--port takes a whole number from 0 to 65528, not "65529"'],
  [['--port', '-1'], /--port/],
  [['--request-limits', ''], /--request-limits takes documented, and SERVICE=BURST\/PER_SECOND/],
  [['--request-limits', 'route53=5/5'], /not "route53=5\/5"/],
  [['--request-limits', 'sqs=0/5'], /--request-limits/],
  [['--request-limits', 'toString=1/1'], /--request-limits/],
  [['--sped', '2'], /--sped/],
  [['fast'], /fast/],
  [['--no-story=yes'], /--no-story/],
] as const)('what makes no sense is said: %j', (args, message) => {
  const read = readCommandLine(args);
  expect(read).toMatchObject({ kind: 'wrong' });
  expect('message' in read ? read.message : '').toMatch(message);
});

test('the help fits a terminal of 80 columns', () => {
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
