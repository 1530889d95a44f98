import * as dns from 'dns-packet';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordSet } from '../aws/support/route53-fixture.ts';
import { createNameServers, data } from './support.ts';

const zone = 'example.internal';
const srv = `_etcd-server-ssl._tcp.etcd.${zone}`;
const sets = [
  recordSet(srv, 'SRV', [`0 0 2380 a.etcd.${zone}.`, `0 0 2380 b.etcd.${zone}`], 30),
  recordSet(`a.etcd.${zone}`, 'A', ['10.0.0.1']),
  recordSet(`a.etcd.${zone}`, 'AAAA', ['2001:db8::1']),
  recordSet(`b.etcd.${zone}`, 'A', ['10.0.0.2']),
  recordSet(`_mark.etcd.${zone}`, 'TXT', ['"owner=\\"drover\\"" "\\303\\274"']),
  recordSet(`www.${zone}`, 'CNAME', [`a.etcd.${zone}`]),
  recordSet(`far.${zone}`, 'CNAME', ['www.elsewhere.com']),
  recordSet(`circle.${zone}`, 'CNAME', [`circle.${zone}`]),
  recordSet(`mail.${zone}`, 'MX', [`10 a.etcd.${zone}`]),
  recordSet(`*.wild.${zone}`, 'A', ['10.0.0.9']),
  recordSet(`known.wild.${zone}`, 'TXT', ['"here"']),
  recordSet(`sub.${zone}`, 'NS', ['ns.other.net']),
  {
    Name: `alias.${zone}`,
    Type: 'A' as const,
    AliasTarget: { HostedZoneId: 'Z1', DNSName: `a.etcd.${zone}`, EvaluateTargetHealth: false },
  },
];
const servers = () => createNameServers({ [zone]: sets });

describe('the name servers', () => {
  it('answer every type with its TTL, and repeat the spelling of the name', () => {
    const { ask } = servers();
    const service = ask(srv.toUpperCase(), 'SRV');
    expect(service).toMatchObject({ id: 7, rcode: 'NOERROR', flag_aa: true, flag_qr: true });
    expect(service.answers).toMatchObject([
      { name: srv.toUpperCase(), ttl: 30, data: { priority: 0, port: 2380, target: `a.etcd.${zone}` } },
      { data: { target: `b.etcd.${zone}` } },
    ]);
    expect(data(ask(`a.etcd.${zone}`, 'A').answers)).toEqual(['10.0.0.1']);
    expect(data(ask(`a.etcd.${zone}`, 'AAAA').answers)).toEqual(['2001:db8::1']);
    expect(data(ask(`mail.${zone}`, 'MX').answers)).toEqual([{ preference: 10, exchange: `a.etcd.${zone}` }]);
    expect(data(ask(`_mark.etcd.${zone}`, 'TXT').answers)).toEqual([
      [Buffer.from('owner="drover"'), Buffer.from('ü')],
    ]);
    expect(data(ask(zone, 'SOA').answers)).toMatchObject([
      { rname: 'awsdns-hostmaster.amazon.com', serial: 1 },
    ]);
    expect(ask(zone, 'NS').answers).toHaveLength(4);
    expect(ask(zone, 'ANY').answers).toHaveLength(5);
  });

  it('distinguish a missing name from a missing type, with the TTL of negative answers', () => {
    const { ask } = servers();
    const absent = ask(`none.${zone}`, 'A');
    expect(absent).toMatchObject({
      rcode: 'NXDOMAIN',
      answers: [],
      authorities: [{ type: 'SOA', ttl: 900 }],
    });
    for (const [name, type] of [
      [`b.etcd.${zone}`, 'AAAA'],
      [`etcd.${zone}`, 'A'],
      [`_tcp.etcd.${zone}`, 'SRV'],
      [`alias.${zone}`, 'A'],
    ] as const)
      expect(ask(name, type)).toMatchObject({
        rcode: 'NOERROR',
        answers: [],
        authorities: [{ type: 'SOA', name: zone }],
      });
  });

  it('follow CNAMEs within their zones', () => {
    const { ask } = servers();
    expect(data(ask(`www.${zone}`, 'A').answers)).toEqual([`a.etcd.${zone}`, '10.0.0.1']);
    expect(data(ask(`www.${zone}`, 'CNAME').answers)).toEqual([`a.etcd.${zone}`]);
    expect(ask(`far.${zone}`, 'A')).toMatchObject({
      rcode: 'NOERROR',
      answers: [{ data: 'www.elsewhere.com' }],
    });
    expect(ask(`circle.${zone}`, 'A').rcode).toBe('NOERROR');
  });

  it('use a wildcard for names that do not exist, and for no others', () => {
    const { ask } = servers();
    expect(ask(`x.y.wild.${zone}`, 'A').answers).toMatchObject([
      { name: `x.y.wild.${zone}`, data: '10.0.0.9' },
    ]);
    expect(ask(`*.wild.${zone}`, 'A').answers).toHaveLength(1);
    expect(ask(`known.wild.${zone}`, 'A')).toMatchObject({ rcode: 'NOERROR', answers: [] });
    expect(ask(`x.known.wild.${zone}`, 'A').rcode).toBe('NXDOMAIN');
    expect(ask(`x.wild.${zone}`, 'TXT')).toMatchObject({ rcode: 'NOERROR', answers: [] });
  });

  it('refer to the name servers of a delegated zone', () => {
    expect(servers().ask(`deep.sub.${zone}`, 'A')).toMatchObject({
      rcode: 'NOERROR',
      flag_aa: false,
      answers: [],
      authorities: [{ type: 'NS', name: `sub.${zone}`, data: 'ns.other.net' }],
    });
  });

  it('answer from the closest of their zones, and refuse names outside', () => {
    const { ask } = createNameServers({
      [zone]: [recordSet(`a.etcd.${zone}`, 'A', ['10.0.0.1'])],
      [`etcd.${zone}`]: [recordSet(`b.etcd.${zone}`, 'A', ['10.0.0.2'])],
    });
    expect(ask(`a.etcd.${zone}`, 'A').rcode).toBe('NXDOMAIN');
    expect(data(ask(`b.etcd.${zone}`, 'A').answers)).toEqual(['10.0.0.2']);
    for (const name of ['example.com', `not${zone}`, 'internal', '.'])
      expect(ask(name, 'A')).toMatchObject({ rcode: 'REFUSED', flag_aa: false });
    expect(ask(zone, 'AXFR').rcode).toBe('REFUSED');
  });
});

const large = createNameServers({
  [zone]: [
    recordSet(
      srv,
      'SRV',
      Array.from({ length: 60 }, (_, index) => `0 0 2380 i-${index}.etcd.${zone}`),
    ),
  ],
});
const edns = (udpPayloadSize: number, ednsVersion = 0): Partial<dns.Packet> => ({
  additionals: [
    {
      type: 'OPT',
      name: '.',
      udpPayloadSize,
      ednsVersion,
      extendedRcode: 0,
      flags: 0,
      flag_do: false,
      options: [],
    },
  ],
});

describe('a DNS answer', () => {
  it('that does not fit is truncated, and is complete over TCP', () => {
    const cut = large.ask(srv, 'SRV');
    expect(cut).toMatchObject({ flag_tc: true, answers: [], questions: [{ name: srv }] });
    const whole = large.ask(srv, 'SRV', { transport: 'tcp' });
    expect(whole.flag_tc).toBe(false);
    expect(whole.answers).toHaveLength(60);
  });

  it('is limited to the size that the caller announces', () => {
    const { ask } = servers();
    expect(ask(srv, 'SRV', edns(1232)).additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 4096 }]);
    expect(large.ask(srv, 'SRV', edns(65_535)).flag_tc).toBe(true);
    expect(large.ask(srv, 'SRV', edns(1)).bytes).toBeLessThanOrEqual(512);
    expect(ask(srv, 'SRV').additionals).toEqual([]);
  });

  it('never exceeds the limit of the transport', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 60 }), (size, count) => {
        const values = Array.from({ length: count }, (_, index) => `0 0 2380 i-${index}.etcd.${zone}`);
        const { ask } = createNameServers({ [zone]: [recordSet(srv, 'SRV', values)] });
        const reply = ask(srv, 'SRV', edns(size));
        expect(reply.bytes).toBeLessThanOrEqual(Math.max(512, Math.min(size, 4096)));
        expect(reply.flag_tc ? 0 : count).toBe(reply.answers?.length);
      }),
      { numRuns: 40 },
    );
  });

  it('to an unknown version of EDNS is BADVERS', () => {
    expect(servers().ask(srv, 'SRV', edns(1232, 1)).additionals).toMatchObject([{ extendedRcode: 1 }]);
  });
});

describe('an invalid DNS query', () => {
  const query = dns.encode({ id: 9, type: 'query', questions: [{ name: srv, type: 'SRV' }] });
  const rcodeOf = (message: Buffer | undefined): number | undefined =>
    message && message.readUInt16BE(2) & 0xf;
  const changed = (change: (message: Buffer) => void): Buffer => {
    const message = Buffer.from(query);
    change(message);
    return message;
  };

  it('gets no answer if it is an answer or too short, to prevent loops between servers', () => {
    const { answer } = servers();
    expect(answer(Buffer.alloc(11))).toBeUndefined();
    expect(answer(changed((message) => message.writeUInt16BE(0x8000, 2)))).toBeUndefined();
  });

  it('is refused with the error code of its kind', () => {
    const { answer } = servers();
    expect(rcodeOf(answer(query.subarray(0, 20)))).toBe(1);
    expect(rcodeOf(answer(changed((message) => message.writeUInt16BE(2, 4))))).toBe(1);
    expect(rcodeOf(answer(changed((message) => message.writeUInt16BE(0, 4))))).toBe(1);
    expect(rcodeOf(answer(changed((message) => message.writeUInt16BE(5 << 11, 2))))).toBe(4);
    expect(rcodeOf(answer(changed((message) => message.writeUInt16BE(3, message.length - 2))))).toBe(5);
    expect(rcodeOf(answer(changed((message) => message.writeUInt16BE(0xff00, message.length - 4))))).toBe(0);
    expect(rcodeOf(answer(changed((message) => message.writeUInt8(0xff, 13))))).toBe(1);
  });

  it('never crashes the servers', () => {
    const { answer } = servers();
    const mangled = fc
      .array(fc.tuple(fc.nat({ max: query.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 })
      .map((edits) => changed((message) => edits.forEach(([at, byte]) => message.writeUInt8(byte, at))));
    const noise = fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mangled, noise), (message) => {
        const reply = answer(message);
        if (reply) expect(reply.readUInt16BE(0)).toBe(message.readUInt16BE(0));
      }),
      { numRuns: 2000 },
    );
  });
});
