import { readFileSync } from 'node:fs';
import type { PolicyDocument, QueueWiring } from '@drover/cloud-sandbox';
import { describe, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { mostEnvironments } from '../../shared/intake/hurry-limit.ts';

const wiring = await loadDeployment({ accountId: '123456789012', region: 'eu-west-1' });
const template = JSON.parse(
  readFileSync('.serverless/cloudformation-template-update-stack.json', 'utf8'),
) as {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly DeletionPolicy?: string;
        readonly UpdateReplacePolicy?: string;
        readonly Properties?: Readonly<Record<string, unknown>>;
      }
    >
  >;
};
const ofType = (type: string) =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

const functionNames = [
  'bootstrap-credential',
  'certificate-requests',
  'etcd-membership',
  'etcd-snapshot',
  'heartbeats',
  'intake',
  'node-joining',
  'node-leaving',
  'prewarm',
  'roll',
  'scale-api',
  'sweep',
  'token-webhook',
];
const queueOf = (arn: string): QueueWiring => {
  const queue = wiring.queues.find(({ queueArn }) => queueArn === arn);
  if (!queue) throw new Error(`no queue ${arn}`);
  return queue;
};
const actionsOf = ({ Statement }: PolicyDocument) =>
  Statement.flatMap(({ Action, Resource, Condition }) =>
    [Action].flat().map((action) => ({ action: String(action), resources: [Resource].flat(), Condition })),
  );

test('the stages of both HTTP APIs refuse floods before they take the concurrency of passes', () => {
  const stages = ofType('AWS::ApiGatewayV2::Stage');
  expect(stages.map(([id]) => id).sort()).toEqual(['HttpApiStage', 'TokenWebhookStage']);
  for (const [, { Properties }] of stages)
    expect(Properties).toMatchObject({
      DefaultRouteSettings: { ThrottlingBurstLimit: 200, ThrottlingRateLimit: 100 },
    });
});

describe('functions', () => {
  test('are those of functions/, on arm64 and Node 24, each with its own bundle', () => {
    expect(wiring.functions.map(({ name }) => name).sort()).toEqual(functionNames);
    for (const [, { Properties }] of ofType('AWS::Lambda::Function'))
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    expect(new Set(wiring.functions.map(({ artifact }) => artifact)).size).toBe(functionNames.length);
  });

  test('have a log retention', () => {
    const groups = ofType('AWS::Logs::LogGroup');
    expect(groups.length).toBeGreaterThanOrEqual(functionNames.length);
    for (const [, { Properties }] of groups) expect(Properties).toMatchObject({ RetentionInDays: 30 });
  });
});

describe('roles', () => {
  test('are one for each function, and nothing is shared', () => {
    expect(Object.keys(template.Resources)).not.toContain('IamRoleLambdaExecution');
    expect(new Set(wiring.functions.map(({ roleArn }) => roleArn)).size).toBe(functionNames.length);
    for (const { roleArn } of wiring.functions)
      expect(wiring.roles.map((role) => role.roleArn)).toContain(roleArn);
  });

  test('name no wildcard action, and wildcard resources only for lists that take no other', () => {
    for (const { policies } of wiring.roles)
      for (const { document } of policies)
        for (const { action, resources } of actionsOf(document)) {
          expect(action).not.toContain('*');
          if (resources.includes('*'))
            expect(action).toMatch(
              /^(autoscaling|ec2|elasticloadbalancing):Describe|^scheduler:ListSchedules$|^ssm:DescribeParameters$/,
            );
        }
  });

  test('change only Auto Scaling groups with the tag of this cluster', () => {
    const changes = wiring.roles
      .flatMap(({ policies }) => policies.flatMap(({ document }) => actionsOf(document)))
      .filter(({ action }) => action.startsWith('autoscaling:') && !action.includes(':Describe'));
    expect(changes.length).toBeGreaterThan(0);
    for (const { Condition } of changes)
      expect(Condition).toMatchObject({
        StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/drover': ['owned', 'shared'] },
      });
  });

  test('set instances Unhealthy only in groups that ask for repair, except for rolls', () => {
    const sets = wiring.roles
      .filter(({ roleName }) => !roleName.endsWith('-roll'))
      .flatMap(({ policies }) => policies.flatMap(({ document }) => actionsOf(document)))
      .filter(({ action }) => action === 'autoscaling:SetInstanceHealth');
    expect(sets).toHaveLength(1);
    expect(sets[0]?.Condition).toMatchObject({
      StringLike: { 'aws:ResourceTag/drover.dev/repair': '*' },
    });
    // `drover doctor` takes the rule's word for it.
    const { rule } = wiring.rules.find(({ rule: { Name } }) => Name === 'drover-dev-sweep') ?? {};
    expect(rule?.Description).toContain('drover.dev/repair');
  });

  test('write no tag but that of etcd’s status', () => {
    const writes = wiring.roles
      .flatMap(({ policies }) => policies.flatMap(({ document }) => actionsOf(document)))
      .filter(({ action }) => /:(CreateOrUpdate|Delete)Tags$/.test(action));
    expect(writes).toHaveLength(2);
    for (const { Condition } of writes)
      expect(Condition).toMatchObject({
        'ForAllValues:StringEquals': { 'aws:TagKeys': ['drover.dev/etcd-status'] },
        Null: { 'aws:TagKeys': 'false' },
      });
  });

  test('let Auto Scaling notify the inbox only for groups of this account and region', () => {
    const role = wiring.roles.find(({ roleName }) => roleName === 'drover-dev-hook-notifications');
    expect(role?.trustPolicy.Statement[0]?.['Condition']).toEqual({
      StringEquals: { 'aws:SourceAccount': '123456789012' },
      ArnLike: {
        'aws:SourceArn':
          'arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:*:autoScalingGroupName/*',
      },
    });
  });

  test('let Scheduler start prewarm, and nothing else, only for the schedules of this cluster', () => {
    const role = wiring.roles.find(({ roleName }) => roleName === 'drover-dev-schedules');
    expect(role?.trustPolicy.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Action: 'sts:AssumeRole',
        Condition: {
          StringEquals: {
            'aws:SourceAccount': '123456789012',
            'aws:SourceArn': 'arn:aws:scheduler:eu-west-1:123456789012:schedule-group/drover-drover',
          },
        },
      },
    ]);
    const granted = (role?.policies ?? []).flatMap(({ document }) => actionsOf(document));
    expect(granted).toMatchObject([
      {
        action: 'lambda:InvokeFunction',
        resources: ['arn:aws:lambda:eu-west-1:123456789012:function:drover-dev-prewarm'],
      },
    ]);
  });

  test('let a function read the queue that it is mapped to', () => {
    for (const { eventSourceArn, functionArn } of wiring.eventSourceMappings) {
      const called = wiring.functions.find((one) => one.functionArn === functionArn);
      const role = wiring.roles.find(({ roleArn }) => roleArn === called?.roleArn);
      const granted = (role?.policies ?? [])
        .flatMap(({ document }) => actionsOf(document))
        .filter(({ resources }) => resources.includes(eventSourceArn))
        .map(({ action }) => action);
      expect(granted).toEqual(
        expect.arrayContaining(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes']),
      );
    }
  });
});

describe('queues', () => {
  test('are retained on replacement and removal, and encrypted', () => {
    for (const [, resource] of ofType('AWS::SQS::Queue'))
      expect(resource).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: { SqsManagedSseEnabled: true },
      });
  });

  test('refuse plain HTTP, and every sender but AWS services and the roles that they name', () => {
    for (const { attributes } of wiring.queues) {
      const { Statement } = JSON.parse(attributes.Policy ?? '{}') as PolicyDocument;
      const denied = Statement.filter(({ Effect }) => Effect === 'Deny').map(({ Sid }) => Sid);
      expect(denied).toEqual(['OnlyNamedSenders', 'OnlyEncryptedTransport']);
    }
  });

  test('let each role send that has the right to', () => {
    for (const { roleArn, policies } of wiring.roles)
      for (const { action, resources } of policies.flatMap(({ document }) => actionsOf(document)))
        if (action === 'sqs:SendMessage')
          for (const arn of resources) expect(queueOf(String(arn)).attributes.Policy).toContain(roleArn);
  });

  test('that are polled have a dead-letter queue of their kind', () => {
    for (const { eventSourceArn } of wiring.eventSourceMappings) {
      const { deadLetterQueueArn = '' } = queueOf(eventSourceArn);
      expect(queueOf(deadLetterQueueArn).queueName.endsWith('.fifo')).toBe(eventSourceArn.endsWith('.fifo'));
    }
  });

  test('hide a message for six times the timeout of the function that reads it, that of a leaving or joining node for twice, and that of heartbeats for two seconds more', () => {
    for (const { eventSourceArn, functionArn } of wiring.eventSourceMappings) {
      const called = wiring.functions.find((one) => one.functionArn === functionArn);
      const { attributes } = queueOf(eventSourceArn);
      const { name = '', timeoutSeconds = 0 } = called ?? {};
      const expected: Record<string, number> = {
        heartbeats: timeoutSeconds + 2,
        'node-leaving': 2 * timeoutSeconds,
        'node-joining': 2 * timeoutSeconds,
      };
      expect(Number(attributes.VisibilityTimeout)).toBe(expected[name] ?? 6 * timeoutSeconds);
    }
  });

  test('allow a thousand receives, the maximum of SQS', () => {
    for (const { eventSourceArn } of wiring.eventSourceMappings)
      expect(JSON.parse(queueOf(eventSourceArn).attributes.RedrivePolicy ?? '{}')).toMatchObject({
        maxReceiveCount: 1000,
      });
  });
});

describe('mappings', () => {
  test('report failures one by one and are bounded', () => {
    expect(wiring.eventSourceMappings).toHaveLength(7);
    for (const mapping of wiring.eventSourceMappings)
      expect(mapping).toMatchObject({
        enabled: true,
        reportBatchItemFailures: true,
        maximumConcurrency: expect.any(Number),
      });
  });

  test('of the inbox has the few environments of which each counts the limit of hurried leaves', () => {
    const inbox = wiring.eventSourceMappings.find(({ eventSourceArn }) =>
      eventSourceArn.includes('InboxQueue'),
    );
    expect(inbox?.maximumConcurrency).toBe(mostEnvironments);
  });

  test('to a queue that the function itself writes to allow recursion', () => {
    const looping = wiring.functions.filter(({ recursiveLoop }) => recursiveLoop === 'Allow');
    expect(looping.map(({ name }) => name)).toEqual([
      'heartbeats',
      'node-leaving',
      'node-joining',
      'etcd-membership',
      'prewarm',
      'roll',
    ]);
  });
});

describe('event rules', () => {
  const inbox = wiring.queues.find(({ queueName }) => queueName.includes('InboxQueue'));
  const events = wiring.rules.filter(({ rule }) => rule.EventPattern);

  test('target the inbox and no function', () => {
    expect(events).toHaveLength(7);
    for (const { targets } of events) expect(targets.map(({ Arn }) => Arn)).toEqual([inbox?.queueArn]);
  });

  test('may each send to the inbox', () => {
    for (const { ruleArn } of events) expect(inbox?.attributes.Policy).toContain(`"${ruleArn}"`);
  });

  test('cover every kind of event that Drover reads', () => {
    const kinds = events.flatMap(
      ({ rule }) => (JSON.parse(rule.EventPattern ?? '{}') as Record<string, string[]>)['detail-type'] ?? [],
    );
    expect(kinds.sort()).toEqual([
      'AWS Health Event',
      'EC2 Capacity Reservation Instance Interruption Warning',
      'EC2 Instance Launch Successful',
      'EC2 Instance Launch Unsuccessful',
      'EC2 Instance Rebalance Recommendation',
      'EC2 Instance State-change Notification',
      'EC2 Instance Terminate Successful',
      'EC2 Instance Terminate Unsuccessful',
      'EC2 Instance-launch Lifecycle Action',
      'EC2 Instance-terminate Lifecycle Action',
      'EC2 Spot Instance Interruption Warning',
    ]);
  });

  test('retry, and keep events that they cannot deliver', () => {
    for (const { targets } of wiring.rules)
      for (const target of targets) {
        expect(target.RetryPolicy?.MaximumRetryAttempts).toBeGreaterThan(0);
        expect(queueOf(target.DeadLetterConfig?.Arn ?? '').queueName).toContain('UndeliveredQueue');
      }
  });
});

describe('the API', () => {
  test('requires IAM authorization, except for API servers, which have no IAM identity', () => {
    const open = wiring.routes.filter(({ authorizationType }) => authorizationType !== 'AWS_IAM');
    expect(open.map(({ routeKey }) => routeKey)).toEqual(['POST /token-review']);
    expect(wiring.routes.length).toBeGreaterThan(open.length);
  });
});

describe('alarms', () => {
  test('notify a topic', () => {
    const topics = wiring.topics.map(({ topicArn }) => topicArn);
    for (const { alarmActions } of wiring.alarms) expect(alarmActions).toEqual(topics);
  });

  test('of Drover’s own metrics name metrics that the functions write', () => {
    const written = readFileSync('shared/base/metrics.ts', 'utf8');
    const own = wiring.alarms
      .flatMap(({ metrics }) => metrics)
      .filter(({ namespace }) => namespace === 'Drover');
    expect(own.length).toBeGreaterThan(4);
    for (const { metricName, dimensions } of own) {
      expect(written).toContain(`  ${metricName}: '`);
      expect(dimensions).toEqual({ Cluster: 'drover' });
    }
  });

  test('watch every dead-letter queue', () => {
    const watched = wiring.alarms.flatMap(({ metrics }) =>
      metrics.map(({ dimensions }) => dimensions.QueueName),
    );
    const dead = wiring.queues.filter(({ queueName }) => /DeadLetter|Undelivered/.test(queueName));
    expect(dead).toHaveLength(8);
    for (const { queueName } of dead) expect(watched).toContain(queueName);
  });

  test('alarm on silence if a function that a schedule starts does not run', () => {
    const silent = wiring.alarms.filter(({ treatMissingData }) => treatMissingData !== 'notBreaching');
    expect(silent.map(({ alarmName }) => alarmName).sort()).toEqual(
      ['bootstrap-credential', 'certificate-requests', 'prewarm', 'roll', 'sweep'].map(
        (name) => `drover-dev-${name}-missing`,
      ),
    );
    for (const { treatMissingData, comparisonOperator, evaluationPeriods, alarmActions } of silent) {
      expect({ treatMissingData, comparisonOperator, evaluationPeriods }).toEqual({
        treatMissingData: 'breaching',
        comparisonOperator: 'LessThanThreshold',
        evaluationPeriods: 1,
      });
      expect(alarmActions).toEqual(wiring.topics.map(({ topicArn }) => topicArn));
    }
  });

  // Tools that open incidents from alarms ignore that state.
  test('do not notify with INSUFFICIENT_DATA', () => {
    for (const { alarmName, insufficientDataActions } of wiring.alarms)
      expect(insufficientDataActions, alarmName).toEqual([]);
  });

  test('watch the errors of every function that a value of its own could leave silent', () => {
    const watched = wiring.alarms.flatMap(({ metrics }) =>
      metrics.flatMap(({ metricName, dimensions }) =>
        metricName === 'Errors' ? (dimensions.FunctionName ?? []) : [],
      ),
    );
    for (const name of ['sweep', 'prewarm', 'roll', 'bootstrap-credential', 'certificate-requests'])
      expect(watched, name).toContain(`drover-dev-${name}`);
  });

  // Lambda's Errors leave out a function that answers 503.
  test.each([
    ['scale-api', 'HttpApi'],
    ['token-webhook', 'TokenWebhookApi'],
  ])('watch what callers of %s are answered, by its API', (name, logicalId) => {
    const alarms = ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    expect(alarms).toContainEqual(
      expect.objectContaining({
        AlarmName: `drover-dev-${name}-errors`,
        Namespace: 'AWS/ApiGateway',
        MetricName: '5xx',
        Dimensions: [{ Name: 'ApiId', Value: { Ref: logicalId } }],
        EvaluationPeriods: 3,
      }),
    );
  });

  test('of a function or a dead-letter queue watch the one that their name names', () => {
    const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    for (const { alarmName, metrics, expression } of wiring.alarms) {
      if (expression !== undefined) continue;
      const { FunctionName, QueueName = '' } = metrics[0]?.dimensions ?? {};
      const queue = /-(\w+)Queue(?:\.fifo)?$/.exec(QueueName)?.[1]?.replace(/Letter$/, 'Letters');
      if (FunctionName !== undefined) {
        const condition = metrics[0]?.metricName === 'Invocations' ? 'missing' : 'errors';
        expect(alarmName).toBe(`${FunctionName}-${condition}`);
      } else if (queue !== undefined) expect(alarmName).toBe(`drover-dev-${kebab(queue)}`);
    }
  });

  test('judge ages by the longest', () => {
    const ages = wiring.alarms
      .flatMap(({ metrics }) => metrics)
      .filter(({ metricName }) => metricName.endsWith('Seconds'));
    expect(ages.length).toBeGreaterThan(3);
    for (const { metricName, statistic } of ages) expect(statistic, metricName).toBe('Maximum');
  });

  test('of what comes and goes by itself ring after a quarter of an hour, and of all else at once', () => {
    const patient = /(?:failed-passes|throttles|-problems|-errors)$/;
    for (const { alarmName, metrics, evaluationPeriods, datapointsToAlarm } of wiring.alarms) {
      expect(datapointsToAlarm, alarmName).toBe(evaluationPeriods);
      const [metric] = metrics;
      // What runs once an hour has one value an hour.
      if (alarmName.includes('bootstrap-credential')) continue;
      expect((metric?.periodSeconds ?? 0) * evaluationPeriods, alarmName).toBe(
        patient.test(alarmName) ? 900 : 300,
      );
    }
  });

  test('watch throttles of all functions that queues wake; the others are missing if they are throttled', () => {
    const throttles = wiring.alarms.find(({ expression }) => expression === 'SUM(METRICS())');
    expect(
      throttles?.metrics.map(({ metricName, dimensions }) => [metricName, dimensions.FunctionName]),
    ).toEqual(
      ['intake', 'node-leaving', 'node-joining', 'etcd-membership'].map((name) => [
        'Throttles',
        `drover-dev-${name}`,
      ]),
    );
  });
});

test('no variable of serverless.yml is left in the template', () => {
  // What Fn::Sub replaces are pseudo parameters, and resources with an attribute.
  const left = JSON.stringify(template).match(/\$\{(?!AWS::|\w+\.\w+\})[^}]*\}/g);
  expect(left).toBeNull();
});

test('the sandbox implements everything in the template or lists it as ignored', () => {
  expect(new Set(wiring.ignored.map(({ why }) => why)).size).toBeGreaterThan(0);
  for (const { what, why } of wiring.ignored) expect(`${what}: ${why}`).toMatch(/^\w+(\.\w+)?: .{10,}/);
});
