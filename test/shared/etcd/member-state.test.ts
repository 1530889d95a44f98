import { describe, expect, it } from 'vitest';
import {
  encodeMemberState,
  type MemberState,
  MemberStateError,
  readMemberState,
} from '../../../shared/etcd/member-state.ts';

const state: MemberState = {
  version: 1,
  state: 'new',
  name: 'i-0123456789abcdef0',
  domain: 'etcd.example.internal',
  peerUrl: 'https://i-0123456789abcdef0.etcd.example.internal:2380',
  clientUrl: 'https://i-0123456789abcdef0.etcd.example.internal:2379',
  discoverySrv: 'etcd.example.internal',
  discoverySrvName: '',
  initialClusterToken: 'drover-20261121T200544Z',
};

describe('the state of a member', () => {
  it('is read back as written', () => {
    expect(readMemberState(encodeMemberState(state))).toEqual(state);
  });

  it('of a writer without tokens has none', () => {
    const { initialClusterToken: _, ...older } = state;
    expect(readMemberState(JSON.stringify(older)).initialClusterToken).toBe('');
  });

  it.each([
    ['initialClusterToken', { ...state, initialClusterToken: 'a b' }],
    ['state', { ...state, state: 'newer' }],
    ['name', { ...state, name: 'i-0; rm -rf /' }],
    ['peerUrl', { ...state, peerUrl: 'ftp://x' }],
    ['version', { ...state, version: 2 }],
  ])('with an invalid %s is refused, with the name of the field', (field, value) => {
    expect(() => readMemberState(JSON.stringify(value))).toThrow(MemberStateError);
    expect(() => readMemberState(JSON.stringify(value))).toThrow(field);
  });

  it.each(['', 'no JSON', '[]', 'null'])('is not read from %j', (text) => {
    expect(() => readMemberState(text)).toThrow(MemberStateError);
  });
});
