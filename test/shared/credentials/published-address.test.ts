import { describe, expect, it } from 'vitest';
import { publishedAddress } from '../../../shared/credentials/published-address.ts';

const own = {
  server: 'https://10.0.0.1:6443',
  certificateAuthorityData: 'Q0E=',
  tlsServerName: 'kubernetes',
};

describe('the published address', () => {
  it("is that of Drover's own kubeconfig by default", () => {
    expect(publishedAddress(own, {})).toEqual(own);
  });

  it("is the operator's override, verified by its own name", () => {
    expect(publishedAddress(own, { server: 'https://api.internal' })).toEqual({
      server: 'https://api.internal',
      certificateAuthorityData: 'Q0E=',
    });
    expect(publishedAddress(own, { certificateAuthorityData: 'LS0t' })).toMatchObject({
      certificateAuthorityData: 'LS0t',
    });
  });

  it('needs a certificate authority, or an impostor would get the token', () => {
    expect(() => publishedAddress({ server: 'https://10.0.0.1' }, {})).toThrow(/certificate-authority-data/);
  });

  it('needs no certificate authority without TLS, on one machine', () => {
    expect(publishedAddress({ server: 'http://127.0.0.1:8080' }, {})).toEqual({
      server: 'http://127.0.0.1:8080',
    });
  });
});
