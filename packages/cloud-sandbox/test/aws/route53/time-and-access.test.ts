import { ListHostedZonesCommand, Route53Client } from '@aws-sdk/client-route-53';
import { describe, expect, it } from 'vitest';
import { createInProcessHandler } from '../../../src/aws/front/in-process.ts';
import { createAccount } from '../../../src/cloud/account.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { create, createRoute53Fixture, recordSet, zoneHandle } from '../support/route53-fixture.ts';
import { accountId, region } from '../support/test-front.ts';

const www = recordSet('www.example.com', 'A', ['10.0.0.1']);

describe('a change', () => {
  it('is PENDING for a while, and name servers do not serve it before it is INSYNC', async () => {
    const { clock, route53, createZone } = createRoute53Fixture({ inSyncSeconds: 30 });
    const zone = await createZone('example.com');
    const change = await zone.change(create(www));
    const served = () => route53.controls.served()[0]?.sets.size;
    expect(change).toMatchObject({ Id: expect.stringMatching(/^\/change\/C/), Status: 'PENDING' });
    clock.advance(29);
    expect([await zone.status(change?.Id), served()]).toEqual(['PENDING', 2]);
    clock.advance(1);
    expect([await zone.status(change?.Id), served()]).toEqual(['INSYNC', 3]);
    await expect(zone.status('C0')).rejects.toMatchObject({ name: 'NoSuchChange' });
  });

  it('is refused while another change of the same zone is in progress', async () => {
    const { clock, route53, createZone } = createRoute53Fixture();
    const [zone, other] = [await createZone('example.com'), await createZone('example.org')];
    route53.controls.occupy(zone.zoneId, 1000);
    await expect(zone.change(create(www))).rejects.toMatchObject({ name: 'PriorRequestNotComplete' });
    await other.change(create(recordSet('example.org', 'A', ['10.0.0.1'])));
    clock.advance(1);
    await zone.change(create(www));
  });
});

describe('an account of Route 53', () => {
  it('can make five calls per second', async () => {
    const { clock, client } = createRoute53Fixture({});
    const ask = () => client.send(new ListHostedZonesCommand({}));
    for (let call = 0; call < 5; call += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ name: 'Throttling', message: 'Rate exceeded' });
    clock.advance(1);
    await ask();
  });

  it('limits a role to the zone, record names, types and actions of its policy', async () => {
    const account = createAccount({
      clock: createVirtualClock(),
      random: createRandom(1),
      accountId,
      region,
    });
    const made = account.route53.operations.CreateHostedZone({ Name: 'example.com', CallerReference: 'x' });
    const zoneId = made.HostedZone.Id?.replace('/hostedzone/', '') ?? '';
    const narrow = {
      'ForAllValues:StringLike': {
        'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['*.etcd.example.com'],
      },
      'ForAllValues:StringEquals': { 'route53:ChangeResourceRecordSetsRecordTypes': ['A', 'SRV', 'TXT'] },
    };
    const user = account.iam.putUser({
      userName: 'narrow',
      policies: [
        {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: 'route53:ChangeResourceRecordSets',
              Resource: `arn:aws:route53:::hostedzone/${zoneId}`,
              Condition: narrow,
            },
          ],
        },
      ],
    });
    const client = new Route53Client({
      region,
      credentials: user,
      requestHandler: createInProcessHandler({ front: account.front }),
      maxAttempts: 1,
    });
    const zone = zoneHandle(client, zoneId);
    await zone.change(create(recordSet('I-1.etcd.example.com.', 'A', ['10.0.0.1'])));
    for (const refused of [
      recordSet('www.example.com', 'A', ['10.0.0.1']),
      recordSet('a.etcd.example.com', 'CNAME', ['b']),
    ])
      await expect(zone.change(create(refused))).rejects.toMatchObject({
        name: 'AccessDenied',
        message: expect.stringContaining(`on resource: arn:aws:route53:::hostedzone/${zoneId}`),
        $metadata: { httpStatusCode: 403 },
      });
    await expect(zone.list()).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
