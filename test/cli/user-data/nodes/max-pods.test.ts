import { describe, expect, it } from 'vitest';
import { createDroverWorld } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';

/**
 * Types of all families, with the pods of single addresses (awslabs/amazon-eks-ami, `eni-max-pods.txt`), and of prefixes as `max-pods-calculator.sh`
 * of the same repository counts them: those of Xen have no prefixes.
 */
const types: readonly (readonly [type: string, addresses: number, prefixes: number])[] = [
  ['a1.metal', 234, 110],
  ['c1.medium', 12, 12],
  ['c3.large', 29, 29],
  ['c4.8xlarge', 234, 234],
  ['c5.9xlarge', 234, 250],
  ['c5n.18xlarge', 737, 250],
  ['c6gn.medium', 8, 98],
  ['c6in.32xlarge', 394, 250],
  ['c7i.metal-24xl', 737, 250],
  ['d2.8xlarge', 234, 234],
  ['d3.xlarge', 10, 110],
  ['d3en.12xlarge', 89, 250],
  ['g4dn.12xlarge', 234, 250],
  ['g5.48xlarge', 345, 250],
  ['h1.16xlarge', 394, 394],
  ['hpc7g.4xlarge', 198, 110],
  ['i2.xlarge', 58, 58],
  ['i3.large', 29, 29],
  ['i3en.24xlarge', 737, 250],
  ['i4i.24xlarge', 437, 250],
  ['inf1.24xlarge', 321, 250],
  ['m1.small', 8, 8],
  ['m2.2xlarge', 118, 118],
  ['m3.medium', 12, 12],
  ['m4.large', 20, 20],
  ['m4.xlarge', 58, 58],
  ['m5.large', 29, 110],
  ['m5zn.12xlarge', 737, 250],
  ['mac1.metal', 234, 110],
  ['p3dn.24xlarge', 737, 250],
  ['p5.48xlarge', 100, 250],
  ['r4.16xlarge', 737, 737],
  ['t1.micro', 4, 4],
  ['t2.2xlarge', 44, 44],
  ['t2.small', 11, 11],
  ['t3.medium', 17, 110],
  ['t3a.small', 8, 98],
  ['t4g.nano', 4, 34],
  ['trn1.32xlarge', 247, 250],
  ['x1.16xlarge', 234, 234],
  ['z1d.large', 29, 110],
];

describe('the number of pods of a type', () => {
  const run = operatorOf(createDroverWorld());
  const podsOf = async (flags: string): Promise<number> => {
    const { out } = await run(`user-data script --no-check --instance-type ${flags}`);
    return Number(/\nmaxPods: (\d+)\n/.exec(out)?.[1]);
  };

  it('is the one of nodeadm, with and without prefix delegation', async () => {
    for (const [type, addresses, prefixes] of types)
      expect([type, await podsOf(type), await podsOf(`${type} --prefix-delegation`)]).toEqual([
        type,
        addresses,
        prefixes,
      ]);
  });
});
