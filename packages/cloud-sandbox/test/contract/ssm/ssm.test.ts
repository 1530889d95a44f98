import { contract } from '../../../truth/contract.ts';
import { createSsmFixture } from '../../aws/support/parameter-fixture.ts';
import { ssmCases } from './cases.ts';

contract({ area: 'Parameter Store', world: 'sandbox', cases: ssmCases, open: createSsmFixture });
