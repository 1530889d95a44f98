import { describe, expect, it } from 'vitest';
import { ssmClient } from '../../../shared/aws/clients.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { createLog } from '../../../shared/base/log.ts';
import { createMetrics } from '../../../shared/base/metrics.ts';
import { awsOnLoopback, refusal } from '../../support/aws-on-loopback.ts';
import { growthOf, linearGrowth } from '../../support/growth.ts';

function createSink() {
  const lines: string[] = [];
  const host = {
    clock: { now: () => Date.parse('2026-11-21T07:00:00Z') },
    writeLine: (line: string) => void lines.push(line),
  };
  return { host, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('a log line', () => {
  it('has its time, level and message first, and no field replaces them', () => {
    const { host, lines } = createSink();
    createLog(host, { function: 'intake' }).warn('held', { pods: 2, level: 'debug' });
    const head = '{"time":"2026-11-21T07:00:00.000Z","level":"warn","message":"held","function":"intake"';
    expect(lines).toEqual([`${head},"pods":2}`]);
  });

  it('is one JSON object with its time, level and message', () => {
    const { host, last } = createSink();
    createLog(host, { function: 'intake' }).with({ work: 'x' }).info('hello\nworld', { count: 2 });
    expect(last()).toEqual({
      time: '2026-11-21T07:00:00.000Z',
      level: 'info',
      message: 'hello\nworld',
      function: 'intake',
      work: 'x',
      count: 2,
    });
  });

  it('has an error with its causes, without other properties of an SDK error', () => {
    const { host, lines, last } = createSink();
    const cause = Object.assign(new Error('refused'), { $response: { headers: { cookie: 'abc' } } });
    createLog(host).error('it failed', new AggregateError([cause], 'both', { cause }));
    expect(last()).toMatchObject({
      error: { message: 'both', cause: { message: 'refused' }, errors: [{ message: 'refused' }] },
    });
    expect(lines.join()).not.toContain('cookie');
  });

  it('has the request id and the status of an AWS error, anywhere in the chain of causes', async () => {
    const { host, last } = createSink();
    const { connection } = await awsOnLoopback([refusal('AccessDenied', 403)]);
    const read = createParameterStore(ssmClient(connection())).read('/drover/prod/kubeconfig');
    const cause: unknown = await read.catch((error: unknown) => error);
    createLog(host).error('the pass failed', new Error('no kubeconfig', { cause }));
    expect(last()).toMatchObject({
      error: { message: 'no kubeconfig', cause: { requestId: 'request-1', httpStatusCode: 403 } },
    });
  });

  it('has the stack of the error, and only names and messages of its causes', () => {
    const { host, last } = createSink();
    const loop = new Error('outer');
    loop.cause = new Error('inner', { cause: loop });
    createLog(host).error('it failed', loop);
    const { error } = last() as { error: { stack: string; cause: Record<string, unknown> } };
    expect(error.stack).toMatch(/^Error: outer\n\s+at .*log\.test\.ts/);
    expect(error.cause).not.toHaveProperty('stack');
    expect(error.cause).toMatchObject({ message: 'inner', cause: { message: 'outer' } });
  });

  it('cannot be forged by a field with a reserved name, and supports cycles and bigints', () => {
    const { host, last } = createSink();
    const loop: Record<string, unknown> = { big: 1n };
    loop.self = loop;
    createLog(host).warn('real', { level: 'info', message: 'forged', loop });
    expect(last()).toMatchObject({ level: 'warn', message: 'real', loop: { big: '1' } });
  });

  it.each([
    ['a bearer token', 'Authorization: Bearer abcdefghijklmnop', 'abcdefghijklmnop'],
    ['a JWT', 'token eyJhbGciOiJI.eyJzdWIiOiJk.c2lnbmF0', 'eyJzdWIiOiJk'],
    ['a JWT after a dash', 'id-of-eyJhbGciOiJI.eyJzdWIiOiJk.c2lnbmF0', 'eyJzdWIiOiJk'],
    ['a JWT behind a part that is none', 'aaaa.bbbbbbbb.eyJhbGciOiJI.eyJzdWIiOiJk.c2ln', 'eyJzdWIiOiJk'],
    ['a bootstrap token', 'used abcdef.0123456789abcdef', '0123456789abcdef'],
    ['an IAM token', 'k8s-aws-v1.aHR0cHM6Ly9zdHM', 'aHR0cHM6Ly9zdHM'],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----', 'MHcCAQEE'],
    ['a signature in a URL', 'https://sts/?X-Amz-Signature=0a1b2c3d4e', '0a1b2c3d4e'],
    ['a password in a text', 'password: hunter2hunter2', 'hunter2hunter2'],
    ['a password of several words', '{"password":"correct horse \\"battery\\" staple"}', 'staple'],
    ['a token in JSON in a string', JSON.stringify({ body: JSON.stringify({ token: 'ab cd' }) }), 'ab cd'],
    ['a token in JSON in a string in a string', JSON.stringify(JSON.stringify('{"token":"a\\"zz"}')), 'zz'],
    ['a variable of the environment', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'K7MDENG'],
    ['a quoted variable', "DB_PASSWORD='hunter two'", 'hunter two'],
    ['the password of a URL', 'postgres://root:hunter2@db.example/x', 'hunter2'],
    ['a password before a host', 'to root:hunter2@db.example', 'hunter2'],
    ['a key in base64', 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1IY0NBUUVF', 'QVRFIEtFWS0tLS0tCk1IY0NBUUVF'],
    ['a key in lines of base64', `LS0tLS1CRUdJTiBQUklW\n${'QUJD'.repeat(16)}`, 'QUJDQUJD'],
    ['a long key that nothing names', 'MHcCAQ0E'.repeat(24), 'MHcCAQ0EMHcCAQ0E'],
    ['a session token in a header', 'x-amz-security-token:IQoJb3JpZ2luX2Vj', 'IQoJb3JpZ2lu'],
    ['half of a token at a cut', `${'x '.repeat(3980)}Bearer ${'abcdefgh'.repeat(90)}`, 'abcdefgh'],
  ])('never has %s, in the message, a field or an error', (_, text, secret) => {
    const { host, lines } = createSink();
    const log = createLog(host);
    log.info(text, { text, deep: [{ text }] });
    log.error('failed', new Error(text, { cause: new Error(text) }));
    expect(lines.join()).not.toContain(secret);
  });

  it('never has the credentials of the function, however they are encoded', () => {
    const { host, lines } = createSink();
    const environment = { AWS_SECRET_ACCESS_KEY: 'wJalr/XUtn+FEMI', AWS_SESSION_TOKEN: 'IQoJ"b3JpZ2luX2Vj' };
    const log = createLog({ ...host, environment });
    for (const secret of Object.values(environment))
      for (const text of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
        log.info(`the request was ${text}!`, { [text]: [text], text });
        expect(lines.at(-1)).not.toContain(text);
        expect(lines.at(-1)).not.toContain(JSON.stringify(text).slice(1, -1));
      }
  });

  it.each([
    'arn:aws:sts::123456789012:assumed-role/Admin/jane@example.com',
    'secrets is forbidden: User "drover" cannot list resource "secrets" in API group ""',
    'https://api.example.com:6443/api/v1/nodes',
    'users[drover].user.client-key-data: is not a PEM text in base64',
  ])('keeps %s', (text) => {
    const { host, last } = createSink();
    createLog(host).info(text);
    expect(last().message).toBe(text);
  });

  // The pattern of a JWT took 14 s for 160 KB of this.
  it('is written at once, however long and malicious the text is', () => {
    const { host, lines } = createSink();
    const fills = [
      'eyJ',
      'eyJaaaaaaaa-',
      'a.',
      'token=',
      'token:\\"',
      '//a:',
      'user:',
      'LS0tLS1CRUdJTi',
      'a-',
    ];
    const writeAll = (times: number) => fills.map((fill) => createLog(host).info(fill.repeat(times)));
    expect(growthOf(writeAll, 300_000)).toBeLessThan(linearGrowth);
    for (const line of lines) expect(line.length).toBeLessThan(9000);
  });

  it('never has the value of a field with a secret name', () => {
    const { host, lines } = createSink();
    createLog(host).info('x', {
      bootstrapToken: 'zzz',
      secretAccessKey: 'zzz',
      kubeconfig: { users: 'zzz' },
    });
    expect(lines.join()).not.toContain('zzz');
  });
});

describe('a metric', () => {
  it('is a line in the embedded metric format', () => {
    const { host, last } = createSink();
    createMetrics(host, 'prod').put({ Waits: 1 }, { Cause: 'budget' });
    expect(last()).toEqual({
      _aws: {
        Timestamp: Date.parse('2026-11-21T07:00:00Z'),
        CloudWatchMetrics: [
          {
            Namespace: 'Drover',
            Dimensions: [['Cluster'], ['Cluster', 'Cause']],
            Metrics: [{ Name: 'Waits', Unit: 'Count' }],
          },
        ],
      },
      Cluster: 'prod',
      Cause: 'budget',
      Waits: 1,
    });
  });

  it('without a value writes no line', () => {
    const { host, lines } = createSink();
    createMetrics(host, 'prod').put({});
    expect(lines).toEqual([]);
  });
});
