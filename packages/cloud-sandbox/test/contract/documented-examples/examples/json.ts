import type { WireExample } from '../example.ts';

const queue = 'https://sqs.us-east-1.amazonaws.com/177715257436/MyQueue/';
const sqsPage = 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference';
const ssmPage = 'https://docs.aws.amazon.com/systems-manager/latest/APIReference';

const entries = [
  { Id: 'test_msg_001', MessageBody: 'test message body 1' },
  {
    Id: 'test_msg_002',
    MessageBody: 'test message body 2',
    DelaySeconds: 60,
    MessageAttributes: {
      my_attribute_name_1: { DataType: 'String', StringValue: 'my_attribute_value_1' },
    },
  },
];

const changes = [
  { Id: 'change_visibility_msg_1', ReceiptHandle: 'AQEBt7JdeB+HGhLUgVF4/Gc+AvTP', VisibilityTimeout: 45 },
  { Id: 'change_visibility_msg_2', ReceiptHandle: 'AQEB3LQoW7GQWgodQCEJXHjMvO/Q', VisibilityTimeout: 45 },
];

const post = (host: string, target: string, body: string): string => `POST / HTTP/1.1
Host: ${host}
X-Amz-Target: ${target}
Content-Type: application/x-amz-json-${target.startsWith('AmazonSQS') ? '1.0' : '1.1'}

${body}`;

export const sqsExamples: readonly WireExample[] = [
  {
    service: 'sqs',
    operation: 'SendMessageBatch',
    page: `${sqsPage}/API_SendMessageBatch.html`,
    sloppy:
      'the page shows the hash of another text for the second body: this is the hash from its example of the Query protocol',
    request: post(
      'sqs.us-east-1.amazonaws.com',
      'AmazonSQS.SendMessageBatch',
      `{
    "QueueUrl": "${queue}",
    "Entries": [
        { "Id": "test_msg_001", "MessageBody": "test message body 1" },
        {
            "Id": "test_msg_002",
            "MessageBody": "test message body 2",
            "DelaySeconds": 60,
            "MessageAttributes": {
                "my_attribute_name_1": { "DataType": "String", "StringValue": "my_attribute_value_1" }
            }
        }
    ]
}`,
    ),
    response: `HTTP/1.1 200 OK
x-amzn-RequestId: <requestId>
Content-Type: application/x-amz-json-1.0

{
   "Failed": [],
    "Successful": [
        {
            "Id": "test_msg_001",
            "MD5OfMessageBody": "0e024d309850c78cba5eabbeff7cae71",
            "MessageId": "f4eb349f-cd33-4bc4-bdc2-e557c900d41d"
        },
        {
            "Id": "test_msg_002",
            "MD5OfMessageAttributes": "8ef4d60dbc8efda9f260e1dfd09d29f3",
            "MD5OfMessageBody": "7fb8146a82f95e0af155278f406862c2",
            "MessageId": "1dcfcd50-5a67-45ae-ae4c-1c152b5effb9"
        }
    ]
}`,
    input: { QueueUrl: queue, Entries: entries },
  },
  {
    service: 'sqs',
    operation: 'ChangeMessageVisibilityBatch',
    page: `${sqsPage}/API_ChangeMessageVisibilityBatch.html`,
    sloppy: 'its receipt handles are shortened here',
    request: post(
      'sqs.us-east-1.amazonaws.com',
      'AmazonSQS.ChangeMessageVisibilityBatch',
      `{
    "QueueUrl": "${queue}",
    "Entries": [
        {
            "Id": "change_visibility_msg_1",
            "ReceiptHandle": "AQEBt7JdeB+HGhLUgVF4/Gc+AvTP",
            "VisibilityTimeout": 45
        },
        {
            "Id": "change_visibility_msg_2",
            "ReceiptHandle": "AQEB3LQoW7GQWgodQCEJXHjMvO/Q",
            "VisibilityTimeout": 45
        }
    ]
}`,
    ),
    response: `HTTP/1.1 200 OK
x-amzn-RequestId: <requestId>
Content-Type: application/x-amz-json-1.0

{
    "Failed": [],
    "Successful": [{ "Id": "change_visibility_msg_1" }, { "Id": "change_visibility_msg_2" }]
}`,
    input: { QueueUrl: queue, Entries: changes },
  },
];

export const ssmExamples: readonly WireExample[] = [
  {
    service: 'ssm',
    operation: 'GetParameter',
    page: `${ssmPage}/API_GetParameter.html`,
    request: post('ssm.us-east-2.amazonaws.com', 'AmazonSSM.GetParameter', '{ "Name": "MyGitHubPassword" }'),
    response: `{
    "Parameter": {
        "ARN": "arn:aws:ssm:us-east-2:111122223333:parameter/MyGitHubPassword",
        "DataType": "text",
        "LastModifiedDate": 1582657288.8,
        "Name": "MyGitHubPassword",
        "Type": "SecureString",
        "Value": "AYA39c3b3042cd2aEXAMPLE/AKIAIOSFODNN7EXAMPLE/fh983hg9awEXAMPLE==",
        "Version": 3
    }
}`,
    input: { Name: 'MyGitHubPassword' },
  },
  {
    service: 'ssm',
    operation: 'PutParameter',
    page: `${ssmPage}/API_PutParameter.html`,
    request: post(
      'ssm.us-east-2.amazonaws.com',
      'AmazonSSM.PutParameter',
      `{
    "Overwrite": true,
    "Type": "String",
    "Name": "EC2TestServerType",
    "Value": "t2.large",
    "Description": "Instance type for Test servers"
}`,
    ),
    response: '{ "Version": 2 }',
    input: {
      Overwrite: true,
      Type: 'String',
      Name: 'EC2TestServerType',
      Value: 't2.large',
      Description: 'Instance type for Test servers',
    },
  },
  {
    service: 'ssm',
    operation: 'DeleteParameter',
    page: `${ssmPage}/API_DeleteParameter.html`,
    sloppy: 'the page also describes the body of this answer as empty',
    request: post(
      'ssm.us-east-2.amazonaws.com',
      'AmazonSSM.DeleteParameter',
      '{ "Name": "EC2DevServerType" }',
    ),
    response: '{}',
    input: { Name: 'EC2DevServerType' },
  },
];
