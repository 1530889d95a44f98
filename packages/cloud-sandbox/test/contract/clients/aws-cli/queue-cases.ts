import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode } from './cli.ts';

/** The CLI of version 1 has an address of its own for SQS, which only this flag replaces. */
const sqs = ({ endpoint }: CliWorld): string => `sqs --endpoint-url ${endpoint}`;

export const withoutFlag = 'sqs goes to AWS_ENDPOINT_URL by itself';

interface Received {
  readonly Messages: readonly { readonly Body: string; readonly ReceiptHandle: string }[];
}

/** SQS and EventBridge. */
export const queueCases: Cases<CliWorld> = {
  'a queue is made, a message sent, received, counted and deleted': async (world) => {
    const { aws, json, tried, name } = world;
    const made = await json(`${sqs(world)} create-queue --queue-name ${name} --query QueueUrl`);
    expect(made).toBe(`${world.endpoint}/123456789012/${name}`);
    expect(await json(`${sqs(world)} get-queue-url --queue-name ${name} --query QueueUrl`)).toBe(made);
    const queue = `--queue-url ${String(made)}`;
    const attributes = '{"kind":{"DataType":"String","StringValue":"x"}}';
    await aws(`${sqs(world)} send-message ${queue} --message-attributes ${attributes} --message-body`, 'a b');
    const { Messages } = (await json(
      `${sqs(world)} receive-message ${queue} --wait-time-seconds 5 --visibility-timeout 3600 --message-attribute-names All`,
    )) as Received;
    expect(Messages).toMatchObject([
      { Body: 'a b', MessageAttributes: { kind: { StringValue: 'x', DataType: 'String' } } },
    ]);
    const counts = `${sqs(world)} get-queue-attributes ${queue} --attribute-names ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible --query Attributes`;
    expect(Object.values((await json(counts)) as object)).toEqual(['0', '1']);
    await aws(`${sqs(world)} delete-message ${queue} --receipt-handle ${Messages[0]?.ReceiptHandle}`);
    expect(Object.values((await json(counts)) as object)).toEqual(['0', '0']);
    await aws(`${sqs(world)} delete-queue ${queue}`);
    expect(await tried(`${sqs(world)} get-queue-url --queue-name ${name}`)).toMatchObject({
      code: refusedCode,
      stderr: expect.stringContaining('(AWS.SimpleQueueService.NonExistentQueue)'),
    });
  },

  'a FIFO queue wants a group, and drops what has been sent before': async (world) => {
    const { aws, json, tried, name } = world;
    const url = String(
      await json(
        `${sqs(world)} create-queue --queue-name ${name}.fifo --attributes FifoQueue=true --query QueueUrl`,
      ),
    );
    const send = `${sqs(world)} send-message --queue-url ${url} --message-body x`;
    expect((await tried(send)).stderr).toMatch(/\(MissingParameter\).*MessageGroupId/);
    const once = `${send} --message-group-id g --message-deduplication-id d --query SequenceNumber`;
    expect(await json(once)).toBe(await json(once));
    const count = `${sqs(world)} get-queue-attributes --queue-url ${url} --attribute-names All --query Attributes.ApproximateNumberOfMessages`;
    expect(await json(count)).toBe('1');
    await aws(`${sqs(world)} purge-queue --queue-url ${url}`);
  },

  [withoutFlag]: () => Promise.resolve(),

  'a rule brings the events that it wants into a queue': async (world) => {
    const { aws, json, name } = world;
    const url = String(await json(`${sqs(world)} create-queue --queue-name ${name} --query QueueUrl`));
    const arn = `arn:aws:sqs:eu-west-1:123456789012:${name}`;
    const allow = {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: arn,
    };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [allow] });
    await aws(
      `${sqs(world)} set-queue-attributes --queue-url ${url} --attributes`,
      JSON.stringify({ Policy: policy }),
    );
    const pattern = JSON.stringify({ source: ['mine'], detail: { size: [{ numeric: ['>', 3] }] } });
    await aws(`events put-rule --name ${name} --event-pattern ${pattern}`);
    await aws(`events put-targets --rule ${name} --targets Id=1,Arn=${arn}`);
    const entries = [2, 5].map((size) => ({
      Source: 'mine',
      DetailType: 'd',
      Detail: JSON.stringify({ size }),
    }));
    await aws(`events put-events --entries ${JSON.stringify(entries)}`);
    const body = await json(
      `${sqs(world)} receive-message --queue-url ${url} --wait-time-seconds 10 --query Messages[].Body`,
    );
    expect((body as readonly string[]).map((text) => JSON.parse(text).detail)).toEqual([{ size: 5 }]);
    expect(await json(`events list-rule-names-by-target --target-arn ${arn} --query RuleNames`)).toEqual([
      name,
    ]);
  },

  'a pattern that is none, a rule that is not there, and a source of AWS are refused': async ({
    json,
    tried,
    name,
  }) => {
    expect((await tried(`events put-rule --name ${name} --event-pattern {"source":"x"}`)).stderr).toContain(
      '(InvalidEventPatternException)',
    );
    expect((await tried(`events describe-rule --name ${name}`)).stderr).toContain(
      '(ResourceNotFoundException)',
    );
    const entry = [{ Source: 'aws.ec2', DetailType: 'd', Detail: '{}' }];
    expect(await json(`events put-events --entries ${JSON.stringify(entry)}`)).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'NotAuthorizedForSourceException' }],
    });
  },

  'a schedule is made once, read, changed and deleted': async ({ aws, json, tried, name }) => {
    const target = JSON.stringify({
      Arn: 'arn:aws:sqs:eu-west-1:123456789012:anywhere',
      RoleArn: 'arn:aws:iam::123456789012:role/anybody',
    });
    const words = (verb: string, hour: number) =>
      [
        `scheduler ${verb}-schedule --name ${name} --flexible-time-window Mode=OFF --schedule-expression-timezone Europe/Berlin --target ${target} --schedule-expression`,
        `cron(0 ${hour} * * ? *)`,
      ] as const;
    await aws(...words('create', 7));
    expect((await tried(...words('create', 7))).stderr).toContain('(ConflictException)');
    expect((await tried(...words('create', 77))).stderr).toContain('(ValidationException)');
    await aws(...words('update', 8));
    expect(
      await json(
        `scheduler get-schedule --name ${name} --query [ScheduleExpression,ScheduleExpressionTimezone,State]`,
      ),
    ).toEqual(['cron(0 8 * * ? *)', 'Europe/Berlin', 'ENABLED']);
    await aws(`scheduler delete-schedule --name ${name}`);
    expect((await tried(`scheduler get-schedule --name ${name}`)).stderr).toContain(
      '(ResourceNotFoundException)',
    );
  },
};
