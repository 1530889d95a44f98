/**
 * The policies of the queues.
 *
 * What can send a message to one of these queues can make Drover act, so each queue names its senders, and denies everything else,
 * whatever an identity policy of the account allows. Services of AWS are let in by the statements that allow them, for one source each.
 */
const eventRules = [
  'LifecycleActionRule',
  'ScalingActivityRule',
  'SpotInterruptionRule',
  'RebalanceRule',
  'StateChangeRule',
  'CapacityReservationRule',
  'HealthRule',
];

/** The roles that send to each queue. `operatorRole` may send to each of them, to redrive messages. */
const senders = {
  InboxQueue: ['HookNotificationRole'],
  InboxDeadLetterQueue: ['IntakeRole'],
  LeavingQueue: ['IntakeRole', 'NodeLeavingRole', 'PrewarmRole', 'SweepRole'],
  LeavingDeadLetterQueue: ['NodeLeavingRole'],
  JoiningQueue: ['IntakeRole', 'NodeJoiningRole', 'SweepRole'],
  JoiningDeadLetterQueue: ['NodeJoiningRole'],
  HeartbeatsQueue: [
    'IntakeRole',
    'HeartbeatsRole',
    'NodeLeavingRole',
    'NodeJoiningRole',
    'EtcdMembershipRole',
    'SweepRole',
  ],
  HeartbeatsDeadLetterQueue: ['HeartbeatsRole'],
  EtcdQueue: ['IntakeRole', 'EtcdMembershipRole', 'SweepRole'],
  EtcdDeadLetterQueue: ['EtcdMembershipRole'],
  CapacityQueue: ['PrewarmRole'],
  CapacityDeadLetterQueue: ['PrewarmRole'],
  // Its messages name no instance: they have the rolls of the cluster looked at, which happens each minute anyway.
  RollQueue: ['RollRole', 'ScaleApiRole'],
  RollDeadLetterQueue: ['RollRole'],
  UndeliveredQueue: ['BootstrapCredentialRole'],
};

/** The roles that a deployment may lack, with their conditions. */
const optional = { BootstrapCredentialRole: 'HasBootstrap', ScaleApiRole: 'HasScaleApi' };

/** What a condition of deploy/conditions.yml adds. */
const when = (condition, value) => ({ 'Fn::If': [condition, value, { Ref: 'AWS::NoValue' }] });

const arnOf = (logicalId) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

module.exports = async ({ resolveVariable }) => {
  const operatorRole = await resolveVariable('param:operatorRole');
  const hookTopic = await resolveVariable('param:hookTopic');
  const name = await resolveVariable('self:custom.name');
  const rulesOfThisStack = 'arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/';

  const allowed = (queue) =>
    ({
      InboxQueue: [
        allowService(queue, 'EventRules', 'events.amazonaws.com', eventRules.map(arnOf)),
        when('HasHookTopic', allowService(queue, 'HookTopic', 'sns.amazonaws.com', topicArn(hookTopic))),
      ],
      UndeliveredQueue: [
        allowService(queue, 'EventRules', 'events.amazonaws.com', {
          'Fn::Sub': `${rulesOfThisStack}${name}-*`,
        }),
      ],
    })[queue] ?? [];

  const policyOf = (queue) => ({
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: queue }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          ...allowed(queue),
          onlySenders(queue, when('HasOperatorRole', operatorRole)),
          onlyEncryptedTransport(queue),
        ],
      },
    },
  });
  return {
    Resources: Object.fromEntries(Object.keys(senders).map((queue) => [`${queue}Policy`, policyOf(queue)])),
  };
};

const allowService = (queue, Sid, Service, sourceArn) => ({
  Sid,
  Effect: 'Allow',
  Principal: { Service },
  Action: 'sqs:SendMessage',
  Condition: { ArnLike: { 'aws:SourceArn': sourceArn } },
  Resource: arnOf(queue),
});

/** A topic of this account and region by its name, any other by its ARN. */
const topicArn = (topic) =>
  topic.startsWith('arn:')
    ? topic
    : { 'Fn::Sub': `arn:\${AWS::Partition}:sns:\${AWS::Region}:\${AWS::AccountId}:${topic}` };

function onlySenders(queue, operatorRole) {
  const named = {
    'aws:PrincipalArn': [
      ...senders[queue].map((role) => {
        const condition = optional[role];
        return condition ? when(condition, arnOf(role)) : arnOf(role);
      }),
      operatorRole,
    ],
  };
  return {
    Sid: 'OnlyNamedSenders',
    Effect: 'Deny',
    Principal: '*',
    Action: 'sqs:SendMessage',
    Condition: {
      BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
      // The list must not be empty.
      ArnNotLike: queue === 'UndeliveredQueue' ? when('HasBootstrapOrOperatorRole', named) : named,
    },
    Resource: arnOf(queue),
  };
}

const onlyEncryptedTransport = (queue) => ({
  Sid: 'OnlyEncryptedTransport',
  Effect: 'Deny',
  Principal: '*',
  Action: 'sqs:*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  Resource: arnOf(queue),
});
