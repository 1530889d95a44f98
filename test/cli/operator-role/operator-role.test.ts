import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld } from '../../../local/world/drover-world.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';

const everything = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };

/** `drover` with the credentials of a session of a role. */
function actingAs(roleName: string, options: OperatorOptions = {}) {
  const world: DroverWorld = createDroverWorld();
  const trustPolicy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: '123456789012' } }],
  };
  const { arn } = world.account.iam.putRole({ roleName, policies: [everything], trustPolicy });
  const session = world.account.iam.issueCredentials({
    roleArn: arn,
    sessionName: 'ana@example.com',
    durationSeconds: 3600,
  });
  const environment = {
    AWS_ACCESS_KEY_ID: session.accessKeyId,
    AWS_SECRET_ACCESS_KEY: session.secretAccessKey,
    AWS_SESSION_TOKEN: session.sessionToken,
  };
  return { arn, drover: operatorOf(world, { environment, ...options }) };
}

it.each([
  'operators',
  'team/operators',
  // STS does not say this path (gravitational/teleport#65984, serverless/serverless#13652).
  'aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Admin_0123456789abcdef',
])('drover operator-role prints the ARN of the role %s with its path', async (roleName) => {
  const { arn, drover } = actingAs(roleName);
  expect(await drover('operator-role --yes')).toMatchObject({ code: 0, out: `${arn}\n` });
});

it('drover operator-role shows what the role may do, and asks at a terminal', async () => {
  const { arn, drover } = actingAs('operators', { isTerminal: true, typed: ['yes'] });
  const { code, out, err } = await drover('operator-role');
  expect({ code, out }).toEqual({ code: 0, out: `${arn}\n` });
  expect(err).toMatch(/drain and terminate instances.*\nUse it\?/);
});

it.each([
  ['the answer is no', { isTerminal: true, typed: ['no'] }],
  ['there is no answer', { isTerminal: true, typed: [] }],
  ['no one can be asked', {}],
])('drover operator-role prints nothing, and fails, if %s', async (_, options) => {
  expect(await actingAs('operators', options).drover('operator-role')).toMatchObject({ code: 1, out: '' });
});

it('drover operator-role refuses a user, whom the parameter does not take', async () => {
  expect(await operatorOf(createDroverWorld())('operator-role --yes')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('user/ana, which is not a role'),
  });
});

it('drover operator-role says that STS has not answered with an ARN, as behind a proxy', async () => {
  const world = createDroverWorld();
  const { awsRequestHandler } = world.doors('operator');
  const withoutArn: OperatorOptions['awsRequestHandler'] = {
    handle: async (request, options) => {
      const answer = await awsRequestHandler.handle(request, options);
      const text = Buffer.from(await new Response(answer.response.body).arrayBuffer()).toString('utf8');
      const body = Readable.from([Buffer.from(text.replace(/<Arn>[^<]*<\/Arn>/, ''))]);
      return { ...answer, response: Object.assign(answer.response, { body }) };
    },
  };
  const { code, out, err } = await operatorOf(world, { awsRequestHandler: withoutArn })(
    'operator-role --yes',
  );
  expect([code, out, err]).toEqual([1, '', expect.stringContaining('its answer has no ARN')]);
});
