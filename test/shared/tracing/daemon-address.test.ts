import { describe, expect, it } from 'vitest';
import { readDaemonAddress } from '../../../shared/tracing/create-trace.ts';

describe('the address of the X-Ray daemon', () => {
  it.each([
    ['169.254.79.129:2000', { address: '169.254.79.129', port: 2000 }],
    ['127.0.0.1:1', { address: '127.0.0.1', port: 1 }],
    ['255.249.199.9:65535', { address: '255.249.199.9', port: 65_535 }],
  ])('is read: %s', (text, address) => {
    expect(readDaemonAddress(text)).toEqual(address);
  });

  it.each([
    undefined,
    '',
    '169.254.79.129',
    '169.254.79.129:',
    '169.254.79.129:0',
    '169.254.79.129:65536',
    '169.254.79.129:200000',
    '256.0.0.1:2000',
    '1.2.3:2000',
    '1.2.3.4.5:2000',
    'x1.2.3.4:2000',
    '1.2.3.4:2000 ',
    'daemon.internal:2000',
    '[::1]:2000',
    'tcp:127.0.0.1:2000 udp:127.0.0.1:2001',
  ])('is undefined without an IPv4 address and a port, so that no DNS lookup can hang: %s', (text) => {
    expect(readDaemonAddress(text)).toBeUndefined();
  });
});
