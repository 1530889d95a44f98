import { fifoArea, sqsArea } from '../support/account-areas.ts';

fifoArea.register();
sqsArea.register();
