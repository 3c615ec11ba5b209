import { LightningElement, api } from 'lwc';

export default class OrderTotal extends LightningElement {
    @api lines = [];

    get total() {
        let sum = 0;
        for (const line of this.lines) {
            sum += line.price * line.quantity;
        }
        return sum;
    }
}
