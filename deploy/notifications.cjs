/**
 * What sends Drover's own events on to people: a rule for each receiver that a parameter names. What refers to a conditional resource has its
 * condition too (scripts/deployment/conditions.ts). docs/notifications.md explains it.
 */
const arnOf = (logicalId) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });

/** The message is one line without quotes and backslashes: it fits into JSON and into a text as it is. */
const transformer = (InputTemplate) => ({
  InputPathsMap: { message: '$.detail.message' },
  InputTemplate,
});

/** People read a message within the hour, or not at all; what cannot be delivered until then is in UndeliveredQueue, with its alarm. */
const delivery = {
  RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 185 },
  DeadLetterConfig: { Arn: arnOf('UndeliveredQueue') },
};

const rule = ({ name, cluster, from }, { receiver, Description, target }) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: `${name}-notify-${receiver}`,
    Description,
    EventPattern: {
      source: ['drover'],
      // Another account that may put events on the bus is not Drover.
      account: [{ Ref: 'AWS::AccountId' }],
      detail: {
        cluster: [cluster],
        severity: ['warning', from],
        // One message for a kind and a minute: shared/runtime/notifier.ts.
        repeats: [{ exists: false }],
      },
    },
    Targets: [{ Id: receiver, ...target, ...delivery }],
  },
});

const toTopic = (Arn) => ({ Arn, InputTransformer: transformer('"<message>"') });

const eMail = (stack, Endpoint) => ({
  // Not encrypted: EventBridge cannot publish with the account's default key, and a message contains no secret.
  EmailTopic: {
    Type: 'AWS::SNS::Topic',
    Condition: 'HasNotificationEmail',
    Properties: { TopicName: `${stack.name}-notifications`, DisplayName: 'Drover' },
  },
  EmailSubscription: {
    Type: 'AWS::SNS::Subscription',
    Properties: { TopicArn: { Ref: 'EmailTopic' }, Protocol: 'email', Endpoint },
  },
  EmailTopicPolicy: {
    Type: 'AWS::SNS::TopicPolicy',
    Properties: {
      Topics: [{ Ref: 'EmailTopic' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'EventRule',
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sns:Publish',
            Resource: { Ref: 'EmailTopic' },
            Condition: { ArnEquals: { 'aws:SourceArn': arnOf('EmailRule') } },
          },
        ],
      },
    },
  },
  EmailRule: rule(stack, {
    receiver: 'email',
    Description: 'Notifications of Drover by e-mail',
    target: toTopic({ Ref: 'EmailTopic' }),
  }),
});

const topic = (stack, Arn) => ({
  OwnTopicRule: {
    Condition: 'HasNotificationTopic',
    ...rule(stack, {
      receiver: 'topic',
      Description: 'Notifications of Drover to your topic',
      target: toTopic(Arn),
    }),
  },
});

/** CloudFormation reads the URL when it deploys; it is in no template, parameter, log or variable of a function. */
const chat = (stack, secret) => ({
  ChatConnection: {
    Type: 'AWS::Events::Connection',
    Condition: 'HasChatWebhook',
    Properties: {
      Description: 'Required by EventBridge. The URL of a webhook is its only secret, so the key is not one',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'X-Drover', ApiKeyValue: 'none' } },
    },
  },
  ChatDestination: {
    Type: 'AWS::Events::ApiDestination',
    Properties: {
      Description: 'The incoming webhook of your chat',
      ConnectionArn: arnOf('ChatConnection'),
      HttpMethod: 'POST',
      InvocationEndpoint: `{{resolve:secretsmanager:${secret}}}`,
      InvocationRateLimitPerSecond: 1,
    },
  },
  ChatRole: {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: `${stack.name}-notify-chat`,
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sts:AssumeRole',
            Condition: {
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
              // By its name, since the rule refers to the role.
              ArnEquals: {
                'aws:SourceArn': {
                  'Fn::Sub': `arn:\${AWS::Partition}:events:\${AWS::Region}:\${AWS::AccountId}:rule/${stack.name}-notify-chat`,
                },
              },
            },
          },
        ],
      },
      Policies: [
        {
          PolicyName: 'chat',
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Sid: 'CallWebhook',
                Effect: 'Allow',
                Action: 'events:InvokeApiDestination',
                Resource: arnOf('ChatDestination'),
              },
            ],
          },
        },
      ],
    },
  },
  ChatRule: rule(stack, {
    receiver: 'chat',
    Description: 'Notifications of Drover to a chat',
    target: {
      Arn: arnOf('ChatDestination'),
      RoleArn: arnOf('ChatRole'),
      InputTransformer: transformer('{"text": "<message>"}'),
    },
  }),
});

module.exports = async ({ resolveVariable }) => {
  const valueOf = async (variable) => String((await resolveVariable(variable)) ?? '');
  const stack = {
    name: await resolveVariable('self:custom.name'),
    cluster: await valueOf('param:cluster'),
    from: await valueOf('param:notifyFrom'),
  };
  return {
    Resources: {
      ...eMail(stack, await valueOf('param:notificationEmail')),
      ...topic(stack, await valueOf('param:notificationTopic')),
      ...chat(stack, await valueOf('param:chatWebhookSecret')),
    },
  };
};
