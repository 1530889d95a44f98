import { readFileSync } from 'node:fs';
import type { Wiring } from '@drover/cloud-sandbox';
import { describe, expect, it } from 'vitest';
import { readDeployment } from '../../local/deployment/read-deployment.ts';
import {
  createDroverWorld,
  type DroverWorld,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { type ReceiverParameters, receiversWith } from '../support/receivers.ts';

const packaged = (file: string): { readonly Resources: object } =>
  JSON.parse(readFileSync(`.serverless/${file}`, 'utf8')) as { readonly Resources: object };

/** The packaged deployment with these receivers. */
async function wiringWith(parameters: Partial<ReceiverParameters>): Promise<Wiring> {
  const template = packaged('cloudformation-template-update-stack.json');
  return readDeployment({
    template: { ...template, Resources: { ...template.Resources, ...(await receiversWith(parameters)) } },
    state: packaged('serverless-state.json'),
    accountId: '123456789012',
    region: 'eu-west-1',
  });
}

/** A topic of the sandbox, and what its subscriber has got by now. */
function subscribe({ account }: DroverWorld, name: string): () => readonly string[] {
  const queueArn = `arn:aws:sqs:eu-west-1:123456789012:${name}`;
  const TopicArn = `arn:aws:sns:eu-west-1:123456789012:${name}`;
  const Policy = JSON.stringify({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
      },
    ],
  });
  const { QueueUrl } = account.sqs.operations.CreateQueue({ QueueName: name });
  account.sqs.operations.SetQueueAttributes({ QueueUrl, Attributes: { Policy } });
  account.sns.operations.Subscribe({
    TopicArn,
    Protocol: 'sqs',
    Endpoint: queueArn,
    Attributes: { RawMessageDelivery: 'true' },
  });
  return () => account.sqs.controls.peek(name).map(({ body }) => body);
}

async function leave(world: DroverWorld): Promise<void> {
  const [leaving = ''] = await withWorkers(world, { size: 2 });
  terminate(world, leaving, { replace: false });
  await world.timeline.pass(300);
}

describe('the receivers of notifications', () => {
  it('are none without parameters', async () => {
    expect(await receiversWith({})).toEqual({});
  });

  it('get a plain sentence by e-mail for each notification, through a topic to which only this rule may publish', async () => {
    const wiring = await wiringWith({ notificationEmail: 'people@example.com' });
    const world = createDroverWorld({ editWiring: () => wiring });
    const got = subscribe(world, 'drover-dev-notifications');
    await leave(world);
    expect(got()).toEqual([
      expect.stringMatching(/^"drover: node ip-[\w.-]+ leaves \(terminating\), by \S+ at the latest"$/),
      expect.stringMatching(/^"drover: node ip-[\w.-]+ has left the cluster"$/),
    ]);
    const policy = JSON.parse(wiring.topics.find(({ policy: one }) => one)?.policy ?? '{}') as object;
    expect(policy).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'events.amazonaws.com' },
          Condition: {
            ArnEquals: {
              'aws:SourceArn': 'arn:aws:events:eu-west-1:123456789012:rule/drover-dev-notify-email',
            },
          },
        },
      ],
    });
  });

  it('get no event about a node that leaves as it should, from warning on', async () => {
    const wiring = await wiringWith({ notificationEmail: 'people@example.com', notifyFrom: 'warning' });
    const world = createDroverWorld({ editWiring: () => wiring });
    const got = subscribe(world, 'drover-dev-notifications');
    await leave(world);
    expect(got()).toEqual([]);
  });

  it('include a topic of one’s own, whose refusal ends in UndeliveredQueue', async () => {
    const notificationTopic = 'arn:aws:sns:eu-west-1:123456789012:people';
    const wiring = await wiringWith({ notificationTopic });
    const world = createDroverWorld({ editWiring: () => wiring });
    world.account.sns.operations.CreateTopic({ Name: 'people' });
    const got = subscribe(world, 'people');
    await leave(world);
    expect(got()).toEqual([]);
    const undelivered = world.account.sqs.controls
      .queueNames()
      .find((name) => name.endsWith('-UndeliveredQueue'));
    const texts = world.account.sqs.controls.peek(undelivered ?? '').map(({ body }) => body);
    // The digest reports the dead letters of the two, and is refused as well: once.
    expect(texts).toEqual([
      expect.stringContaining('leaves (terminating)'),
      expect.stringContaining('has left the cluster'),
      expect.stringContaining('1 problem, 1 new'),
    ]);
  });

  it('get only first events of their own cluster and account', async () => {
    const { OwnTopicRule: rule } = await receiversWith({ notificationTopic: 'arn' });
    expect(rule?.Properties).toMatchObject({
      EventPattern: {
        source: ['drover'],
        account: [{ Ref: 'AWS::AccountId' }],
        detail: { cluster: ['drover'], severity: ['warning', 'info'], repeats: [{ exists: false }] },
      },
    });
  });

  it('include a chat, whose URL is in no property but as a reference to its secret', async () => {
    const resources = await receiversWith({ chatWebhookSecret: 'drover/chat' });
    expect(resources['ChatDestination']?.Properties).toMatchObject({
      InvocationEndpoint: '{{resolve:secretsmanager:drover/chat}}',
      HttpMethod: 'POST',
    });
    expect(resources['ChatRule']?.Properties).toMatchObject({
      Targets: [
        {
          RoleArn: { 'Fn::GetAtt': ['ChatRole', 'Arn'] },
          InputTransformer: { InputTemplate: '{"text": "<message>"}' },
        },
      ],
    });
    // Whatever else has it can be read by more people: a description, an output.
    expect(JSON.stringify(resources).match(/drover\/chat/g)).toHaveLength(1);
    const { ignored } = await wiringWith({ chatWebhookSecret: 'drover/chat' });
    expect(ignored).toContainEqual({ what: 'ChatRule.chat', why: 'the sandbox calls no chat' });
  });

  it('are tried for an hour, a chat once a second, and what is lost then is kept', async () => {
    const resources = await receiversWith({
      notificationEmail: 'a@b.example',
      notificationTopic: 'arn',
      chatWebhookSecret: 'drover/chat',
    });
    const rules = Object.values(resources).filter(({ Type }) => Type === 'AWS::Events::Rule');
    expect(rules).toHaveLength(3);
    for (const { Properties } of rules)
      expect(Properties).toMatchObject({
        Targets: [
          {
            RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 185 },
            DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['UndeliveredQueue', 'Arn'] } },
          },
        ],
      });
    expect(resources['ChatDestination']?.Properties).toMatchObject({ InvocationRateLimitPerSecond: 1 });
  });
});
