import { createSsmFixture } from '../../packages/cloud-sandbox/test/aws/support/parameter-fixture.ts';
import { ssmCases } from './ssm-cases.ts';
import { contract } from './support/contract.ts';

contract({ area: 'Parameter Store', world: 'sandbox', cases: ssmCases, open: createSsmFixture });
