import type {
  ChangeResourceRecordSetsRequest,
  GetChangeRequest,
  GetHostedZoneRequest,
  ListResourceRecordSetsRequest,
} from '@aws-sdk/client-route-53';
import type { AwsConnection } from '../connection.ts';
import { restXmlApi } from './rest-xml-api.ts';
import { route53Endpoint } from './route53-endpoint.ts';
import type { AwsApi } from './service.ts';

/** What is asked of Route 53, as in its API reference (version 2013-04-01). */
interface Inputs {
  readonly ChangeResourceRecordSets: ChangeResourceRecordSetsRequest;
  readonly GetChange: GetChangeRequest;
  readonly GetHostedZone: GetHostedZoneRequest;
  readonly ListResourceRecordSets: ListResourceRecordSetsRequest;
}

const changeInfo = { Id: 'string', Status: 'string' } as const;

export const recordSetShape = {
  Name: 'string',
  Type: 'string',
  SetIdentifier: 'string',
  TTL: 'integer',
  ResourceRecords: [{ Value: 'string' }],
  AliasTarget: { DNSName: 'string' },
  HealthCheckId: 'string',
  TrafficPolicyInstanceId: 'string',
} as const;

const answers = {
  ChangeResourceRecordSets: { ChangeInfo: changeInfo },
  GetChange: { ChangeInfo: changeInfo },
  GetHostedZone: { HostedZone: { Id: 'string', Name: 'string' } },
  ListResourceRecordSets: {
    ResourceRecordSets: [recordSetShape],
    IsTruncated: 'boolean',
    NextRecordName: 'string',
    NextRecordType: 'string',
    NextRecordIdentifier: 'string',
  },
} as const;

const zonePath = '/2013-04-01/hostedzone/{HostedZoneId}';

const bindings = {
  ChangeResourceRecordSets: {
    method: 'POST',
    path: `${zonePath}/rrset`,
    root: 'ChangeResourceRecordSetsRequest',
  },
  GetChange: { method: 'GET', path: '/2013-04-01/change/{Id}' },
  GetHostedZone: { method: 'GET', path: '/2013-04-01/hostedzone/{Id}' },
  ListResourceRecordSets: {
    method: 'GET',
    path: `${zonePath}/rrset`,
    query: {
      name: 'StartRecordName',
      type: 'StartRecordType',
      identifier: 'StartRecordIdentifier',
      maxitems: 'MaxItems',
    },
  },
} as const;

export type Route53Api = AwsApi<Inputs, typeof answers>;

export const route53Api = (connection: AwsConnection): Route53Api =>
  restXmlApi<Inputs, typeof answers>({
    connection,
    name: 'route53',
    globalEndpoint: route53Endpoint(connection.region),
    bindings,
    dialect: {
      namespace: 'https://route53.amazonaws.com/doc/2013-04-01/',
      itemNames: { Changes: 'Change', ResourceRecords: 'ResourceRecord' },
    },
    answers,
  });
