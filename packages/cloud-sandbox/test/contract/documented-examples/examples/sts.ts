import type { WireExample } from '../example.ts';

export const stsExamples: readonly WireExample[] = [
  {
    service: 'sts',
    operation: 'GetCallerIdentity',
    page: 'https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html',
    request: `POST / HTTP/1.1
Host: sts.amazonaws.com
Content-Type: application/x-www-form-urlencoded

Action=GetCallerIdentity&Version=2011-06-15`,
    response: `HTTP/1.1 200 OK
x-amzn-RequestId: 01234567-89ab-cdef-0123-456789abcdef
Content-Type: text/xml

<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
    <Arn>arn:aws:sts::123456789012:assumed-role/my-role-name/my-role-session-name</Arn>
    <UserId>ARO123EXAMPLE123:my-role-session-name</UserId>
    <Account>123456789012</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata>
    <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
  </ResponseMetadata>
</GetCallerIdentityResponse>`,
    input: {},
  },
];
