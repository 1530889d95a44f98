import { describe, expect, test } from 'vitest';
import { readDeployment } from '../../../local/deployment/read-deployment.ts';

const state = {
  service: {
    service: 'drover',
    provider: { stage: 'test' },
    functions: { worker: { name: 'drover-worker', package: { artifact: 'dist/functions/worker.zip' } } },
  },
};

const worker = {
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: 'drover-worker',
    Handler: 'index.handler',
    Role: { 'Fn::GetAtt': ['WorkerRole', 'Arn'] },
    Timeout: 10,
    MemorySize: 512,
    Environment: { Variables: { QUEUE: { Ref: 'Work' }, PARAMETER: '{{resolve:ssm:/a}}' } },
  },
};
const role = {
  Type: 'AWS::IAM::Role',
  Properties: { AssumeRolePolicyDocument: { Statement: [] }, Policies: [] },
};
const queue = (properties: object = {}) => ({
  Type: 'AWS::SQS::Queue',
  Properties: { FifoQueue: true, VisibilityTimeout: 60, ...properties },
});

const read = (resources: object, more: object = {}) =>
  readDeployment({
    template: { Resources: resources, ...more },
    state,
    accountId: '123456789012',
    region: 'eu-west-1',
    readParameter: (name) => (name === '/a' ? 'from ssm' : undefined),
  });

describe('a function', () => {
  const resources = { Worker: worker, WorkerRole: role, Work: queue() };

  test('has its zip from the state, its role, and an environment without intrinsics', () => {
    expect(read(resources).functions).toMatchObject([
      {
        name: 'worker',
        artifact: 'dist/functions/worker.zip',
        roleArn: 'arn:aws:iam::123456789012:role/drover-test-WorkerRole',
        environment: {
          QUEUE: 'https://sqs.eu-west-1.amazonaws.com/123456789012/drover-test-Work.fifo',
          PARAMETER: 'from ssm',
        },
        recursiveLoop: 'Terminate',
        asynchronous: { maximumRetryAttempts: 2, maximumEventAgeSeconds: 21_600 },
      },
    ]);
  });

  test('has queue URLs of the wire where the sandbox has one', () => {
    const { functions } = readDeployment({
      template: { Resources: resources },
      state,
      accountId: '123456789012',
      region: 'eu-west-1',
      sqsEndpoint: 'http://127.0.0.1:4566',
      readParameter: () => '',
    });
    expect(functions[0]?.environment.QUEUE).toBe('http://127.0.0.1:4566/123456789012/drover-test-Work.fifo');
  });

  test('that is missing from the state is refused', () => {
    const stranger = { ...worker, Properties: { ...worker.Properties, FunctionName: 'stranger' } };
    expect(() => read({ ...resources, Worker: stranger })).toThrow(
      'Resources.Worker: serverless-state.json names no artifact for it',
    );
  });
});

test('queues come with their policy, dead-letter queues first', () => {
  const { queues } = read({
    Work: queue({
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
    }),
    Dead: queue(),
    Policy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { Queues: [{ Ref: 'Work' }], PolicyDocument: { Statement: [] } },
    },
  });
  expect(queues.map(({ queueName }) => queueName)).toEqual([
    'drover-test-Dead.fifo',
    'drover-test-Work.fifo',
  ]);
  expect(queues[1]?.attributes).toEqual({
    FifoQueue: 'true',
    VisibilityTimeout: '60',
    RedrivePolicy:
      '{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:123456789012:drover-test-Dead.fifo","maxReceiveCount":3}',
    Policy: '{"Statement":[]}',
  });
});

describe('what the sandbox would ignore is refused by name', () => {
  test.each<[string, object, string]>([
    [
      'a type',
      { Table: { Type: 'AWS::DynamoDB::Table' } },
      'Resources.Table: the sandbox does not know the type AWS::DynamoDB::Table',
    ],
    [
      'a property',
      { Work: queue({ VisibilityTimeOut: 60 }) },
      'Resources.Work.Properties: unknown here: VisibilityTimeOut',
    ],
    [
      'a wrong value',
      { Work: queue({ VisibilityTimeout: 'long' }) },
      'Resources.Work.Properties: VisibilityTimeout',
    ],
    [
      'a condition',
      { Work: { ...queue(), Condition: 'Sometimes' } },
      'the template: Resources.Work: unknown here: Condition',
    ],
    [
      'a reference',
      { Work: queue({ QueueName: { Ref: 'Missing' } }) },
      'Resources.Work.Properties.QueueName.Ref: refers to Missing',
    ],
  ])('%s', (_, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });

  test('a batch that a FIFO queue cannot give', () => {
    const mapping = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { BatchSize: 100, EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] }, FunctionName: 'f' },
    };
    expect(() => read({ Work: queue(), Mapping: mapping })).toThrow('a FIFO queue gives at most 10 messages');
  });

  test('a parameter without a value', () => {
    const more = { Parameters: { Size: { Type: 'String' } } };
    expect(() => read({ Work: queue({ DelaySeconds: { Ref: 'Size' } }) }, more)).toThrow(
      'parameter Size has no value',
    );
  });
});

test('resources without an effect in the sandbox are listed with the reason', () => {
  const { ignored } = read({ Logs: { Type: 'AWS::Logs::LogGroup' }, Work: queue({ Tags: [] }) });
  expect(ignored.map(({ what }) => what)).toEqual(['Logs', 'Work.Tags']);
});
