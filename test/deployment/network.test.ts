import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface SecurityGroup {
  readonly GroupDescription: string;
  readonly SecurityGroupEgress: readonly { readonly Description: string }[];
}

const { Resources } = parse(readFileSync('deploy/network/private.yml', 'utf8')) as {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: SecurityGroup }>>;
};

// CreateSecurityGroup, GroupDescription, and IpRange, Description: "a-z, A-Z, 0-9, spaces, and ._-:/()#,@[]+=&;{}!$*".
test('descriptions of security groups have only characters that EC2 allows', () => {
  const groups = Object.values(Resources).filter(({ Type }) => Type === 'AWS::EC2::SecurityGroup');
  expect(groups).toHaveLength(2);
  for (const { Properties } of groups)
    for (const text of [
      Properties.GroupDescription,
      ...Properties.SecurityGroupEgress.map(({ Description }) => Description),
    ])
      expect(text).toMatch(/^[a-zA-Z0-9 ._:/()#,@[\]+=&;{}!$*-]{1,255}$/);
});
