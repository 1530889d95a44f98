import type { ChangeBatch } from '@aws-sdk/client-route-53';
import type { WireExample } from '../example.ts';

const page = (operation: string): string =>
  `https://docs.aws.amazon.com/Route53/latest/APIReference/API_${operation}.html`;

const batch = {
  Comment: 'Web server for example.com',
  Changes: [
    {
      Action: 'CREATE',
      ResourceRecordSet: {
        Name: 'example.com',
        Type: 'A',
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.44' }],
      },
    },
  ],
} satisfies ChangeBatch;

export const route53Examples: readonly WireExample[] = [
  {
    service: 'route53',
    operation: 'ChangeResourceRecordSets',
    page: page('ChangeResourceRecordSets'),
    sloppy: 'the page has words instead of values: these values are from the example in the SDK’s model',
    request: `POST /2013-04-01/hostedzone/Z3M3LMPEXAMPLE/rrset HTTP/1.1

<?xml version="1.0" encoding="UTF-8"?>
<ChangeResourceRecordSetsRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
<ChangeBatch>
   <Comment>Web server for example.com</Comment>
   <Changes>
      <Change>
         <Action>CREATE</Action>
         <ResourceRecordSet>
            <Name>example.com</Name>
            <Type>A</Type>
            <TTL>60</TTL>
            <ResourceRecords>
               <ResourceRecord>
                  <Value>192.0.2.44</Value>
               </ResourceRecord>
            </ResourceRecords>
         </ResourceRecordSet>
      </Change>
   </Changes>
</ChangeBatch>
</ChangeResourceRecordSetsRequest>`,
    response: `HTTP/1.1 200

<?xml version="1.0" encoding="UTF-8"?>
<ChangeResourceRecordSetsResponse>
   <ChangeInfo>
      <Comment>Web server for example.com</Comment>
      <Id>/change/C2682N5HXP0BZ4</Id>
      <Status>PENDING</Status>
      <SubmittedAt>2017-02-10T01:36:41.958Z</SubmittedAt>
   </ChangeInfo>
</ChangeResourceRecordSetsResponse>`,
    input: { HostedZoneId: 'Z3M3LMPEXAMPLE', ChangeBatch: batch },
  },
  {
    service: 'route53',
    operation: 'GetChange',
    page: page('GetChange'),
    request: 'GET /2013-04-01/change/C2682N5HXP0BZ4 HTTP/1.1',
    response: `HTTP/1.1 200 OK

<?xml version="1.0" encoding="UTF-8"?>
<GetChangeResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
   <ChangeInfo>
      <Id>C2682N5HXP0BZ4</Id>
      <Status>INSYNC</Status>
      <SubmittedAt>2017-03-10T01:36:41.958Z</SubmittedAt>
   </ChangeInfo>
</GetChangeResponse>`,
    input: { Id: 'C2682N5HXP0BZ4' },
  },
  {
    service: 'route53',
    operation: 'GetHostedZone',
    page: page('GetHostedZone'),
    request: 'GET /2013-04-01/hostedzone/Z1PA6795UKMFR9 HTTP/1.1',
    response: `HTTP/1.1 200 OK

<?xml version="1.0" encoding="UTF-8"?>
<GetHostedZoneResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
   <HostedZone>
      <Id>/hostedzone/Z1PA6795UKMFR9</Id>
      <Name>example.com.</Name>
      <CallerReference>2017-03-01T11:22:14Z</CallerReference>
      <Config>
         <Comment>This is my first hosted zone.</Comment>
         <PrivateZone>false</PrivateZone>
      </Config>
      <ResourceRecordSetCount>17</ResourceRecordSetCount>
   </HostedZone>
   <DelegationSet>
      <NameServers>
         <NameServer>ns-2048.awsdns-64.com</NameServer>
         <NameServer>ns-2049.awsdns-65.net</NameServer>
      </NameServers>
   </DelegationSet>
</GetHostedZoneResponse>`,
    input: { Id: 'Z1PA6795UKMFR9' },
  },
  {
    service: 'route53',
    operation: 'ListResourceRecordSets',
    page: page('ListResourceRecordSets'),
    request: 'GET /2013-04-01/hostedzone/Z1PA6795UKMFR9/rrset?maxitems=1 HTTP/1.1',
    response: `HTTP/1.1 200 OK

<?xml version="1.0" encoding="UTF-8"?>
<ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">
   <ResourceRecordSets>
      <ResourceRecordSet>
         <Name>example.com.</Name>
         <Type>SOA</Type>
         <TTL>900</TTL>
         <ResourceRecords>
            <ResourceRecord>
               <Value>ns-2048.awsdns-64.net. hostmaster.awsdns.com. 1 7200 900 1209600 86400</Value>
            </ResourceRecord>
         </ResourceRecords>
      </ResourceRecordSet>
   </ResourceRecordSets>
   <IsTruncated>true</IsTruncated>
   <MaxItems>1</MaxItems>
   <NextRecordName>example.com.</NextRecordName>
   <NextRecordType>NS</NextRecordType>
</ListResourceRecordSetsResponse>`,
    input: { HostedZoneId: 'Z1PA6795UKMFR9', MaxItems: 1 },
  },
];
