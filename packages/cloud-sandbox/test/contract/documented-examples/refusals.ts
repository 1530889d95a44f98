import { autoScalingApi } from '../../../../../shared/aws/api/auto-scaling-api.ts';
import { ec2Api } from '../../../../../shared/aws/api/ec2-api.ts';
import { route53Api } from '../../../../../shared/aws/api/route53-api.ts';
import { s3Api } from '../../../../../shared/aws/api/s3-api.ts';
import { ssmApi } from '../../../../../shared/aws/api/ssm-api.ts';
import type { WireRefusal } from './example.ts';

const bucket = 'amzn-s3-demo-bucket';
const key = 'example-object';
const json = 'https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html#operation-error-serialization';
const getParameter: WireRefusal['call'] = (connection) =>
  ssmApi(connection).call('GetParameter', { Name: 'a' });

/** Where the name of an error stands in AWS's JSON protocols: a client must look at each place. */
const namedBy = (what: { readonly header?: string; readonly member?: string }): WireRefusal => ({
  service: 'ssm',
  operation: 'GetParameter',
  page: json,
  response: `HTTP/1.1 400 Bad Request
Content-Type: application/x-amz-json-1.1${what.header ?? ''}

{ ${what.member ?? ''}"message": "Hi" }`,
  call: getParameter,
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
    call: (connection) => autoScalingApi(connection).call('DescribeAutoScalingGroups', {}),
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
    call: (connection) => ec2Api(connection).call('DescribeInstances', { InstanceId: ['i-1a2b3c4d'] }),
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
    call: (connection) =>
      route53Api(connection).call('ChangeResourceRecordSets', {
        HostedZoneId: 'Z3M3LMPEXAMPLE',
        ChangeBatch: { Changes: [] },
      }),
    error: {
      name: 'InvalidChangeBatch',
      message: '[Tried to create resource record set duplicate.example.com. type A, but it already exists]',
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
    call: (connection) => s3Api({ connection, bucket }).completeMultipartUpload({ key, uploadId: 'u' }, []),
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
    call: (connection) => s3Api({ connection, bucket }).completeMultipartUpload({ key, uploadId: 'u' }, []),
    error: {
      name: 'InternalError',
      message: 'We encountered an internal error. Please try again.',
      statusCode: 200,
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
    call: (connection) => s3Api({ connection, bucket }).getRange(key, { first: 0, last: 9, eTag: '"e"' }),
    error: { name: 'NotFound', message: 'S3 answered 404 without a reason', statusCode: 404 },
    notOfTheSandbox: 'its buckets have no versions',
  },
  'of JSON, named by __type': {
    ...namedBy({ member: '"__type": "FooError", ' }),
    notOfTheSandbox: 'AWS has no such error',
  },
  'of JSON, named by __type with its namespace and where it is described': namedBy({
    member: '"__type": "aws.protocoltests.json#FooError:http://internal.amazon.com/coral/", ',
  }),
  'of JSON, named by a member called code': namedBy({
    member: '"code": "aws.protocoltests.json#FooError", ',
  }),
  'of JSON, named by a header': namedBy({
    header: '\nX-Amzn-Errortype: FooError:http://internal.amazon.com/',
  }),
};
