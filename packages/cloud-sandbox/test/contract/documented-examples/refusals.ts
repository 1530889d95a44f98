import type { WireRefusal } from './example.ts';

const object = { Bucket: 'amzn-s3-demo-bucket', Key: 'example-object' };
const json = 'https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html#operation-error-serialization';

/** The places of an error's name in AWS's JSON protocols: a client must read each of them. */
const namedBy = (what: { readonly header?: string; readonly member?: string }): WireRefusal => ({
  service: 'ssm',
  operation: 'GetParameter',
  page: json,
  response: `HTTP/1.1 400 Bad Request
Content-Type: application/x-amz-json-1.1${what.header ?? ''}

{ ${what.member ?? ''}"message": "Hi" }`,
  input: { Name: 'a' },
  error: { name: 'FooError', message: 'Hi', statusCode: 400 },
  notOfTheSandbox: 'AWS asks of new servers that they name errors by __type',
});

export const refusals: Readonly<Record<string, WireRefusal>> = {
  'of the Query protocol': {
    service: 'autoscaling',
    operation: 'DescribeAutoScalingGroups',
    page: 'https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#operation-error-serialization',
    response: `HTTP/1.1 400 Bad Request
Content-Type: text/xml

<ErrorResponse>
    <Error>
        <Type>Sender</Type>
        <Code>InvalidGreeting</Code>
        <Message>Hi</Message>
    </Error>
    <RequestId>foo-id</RequestId>
</ErrorResponse>`,
    input: {},
    error: { name: 'InvalidGreeting', message: 'Hi', statusCode: 400 },
  },
  'of EC2': {
    service: 'ec2',
    operation: 'DescribeInstances',
    page: 'https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html#api-error-response',
    response: `HTTP/1.1 400 Bad Request

<Response>
    <Errors>
         <Error>
           <Code>InvalidInstanceID.NotFound</Code>
           <Message>The instance ID 'i-1a2b3c4d' does not exist</Message>
         </Error>
    </Errors>
    <RequestID>ea966190-f9aa-478e-9ede-example</RequestID>
</Response>`,
    input: { InstanceIds: ['i-1a2b3c4d'] },
    error: {
      name: 'InvalidInstanceID.NotFound',
      message: "The instance ID 'i-1a2b3c4d' does not exist",
      statusCode: 400,
    },
  },
  'of a batch of Route 53': {
    service: 'route53',
    operation: 'ChangeResourceRecordSets',
    page: 'https://github.com/aws/aws-sdk-go-v2/blob/main/service/route53/internal/customizations/doc.go',
    response: `HTTP/1.1 400 Bad Request

<?xml version="1.0" encoding="UTF-8"?>
<InvalidChangeBatch xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
  <Messages>
    <Message>Tried to create resource record set duplicate.example.com. type A, but it already exists</Message>
  </Messages>
</InvalidChangeBatch>`,
    input: { HostedZoneId: 'Z3M3LMPEXAMPLE', ChangeBatch: { Changes: [] } },
    error: {
      // What the SDK reads is left in `Messages` of this error.
      name: 'Unknown',
      message: 'UnknownError',
      statusCode: 400,
    },
    notOfTheSandbox:
      'Route 53 answers such refusals in two forms, of which the sandbox has the other: ErrorResponse',
  },
  'of S3': {
    service: 's3',
    operation: 'CompleteMultipartUpload',
    page: 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html',
    response: `HTTP/1.1 403 Forbidden
x-amz-request-id: 656c76696e6727732072657175657374

<?xml version="1.0" encoding="UTF-8"?>
<Error>
  <Code>AccessDenied</Code>
  <Message>Access Denied</Message>
  <RequestId>656c76696e6727732072657175657374</RequestId>
</Error>`,
    input: { ...object, UploadId: 'u' },
    error: { name: 'AccessDenied', message: 'Access Denied', statusCode: 403 },
  },
  'of S3 that comes after the status 200': {
    service: 's3',
    operation: 'CompleteMultipartUpload',
    page: 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html',
    response: `HTTP/1.1 200 OK
x-amz-request-id: 656c76696e6727732072657175657374

<?xml version="1.0" encoding="UTF-8"?>

<Error>
  <Code>InternalError</Code>
  <Message>We encountered an internal error. Please try again.</Message>
  <RequestId>656c76696e6727732072657175657374</RequestId>
</Error>`,
    input: { ...object, UploadId: 'u' },
    error: {
      name: 'InternalError',
      message: 'We encountered an internal error. Please try again.',
      // The SDK gives it the status of a failure that is worth a retry.
      statusCode: 503,
    },
    notOfTheSandbox: 'the sandbox completes at once',
  },
  'of S3 for a deleted object, without a body': {
    service: 's3',
    operation: 'GetObject',
    page: 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html',
    response: `HTTP/1.1 404 Not Found
x-amz-request-id: 318BC8BC148832E5
x-amz-delete-marker:  true

`,
    input: object,
    error: { name: 'NotFound', message: 'UnknownError', statusCode: 404 },
    notOfTheSandbox: 'its buckets have no versions',
  },
  'of JSON, named by __type': {
    ...namedBy({ member: '"__type": "FooError", ' }),
    notOfTheSandbox: 'AWS has no such error',
  },
  'of JSON, named by __type with its namespace and a link': namedBy({
    member: '"__type": "aws.protocoltests.json#FooError:http://internal.amazon.com/coral/", ',
  }),
  'of JSON, named by a member called code': namedBy({
    member: '"code": "aws.protocoltests.json#FooError", ',
  }),
  'of JSON, named by a header': namedBy({
    header: '\nX-Amzn-Errortype: FooError:http://internal.amazon.com/',
  }),
};
