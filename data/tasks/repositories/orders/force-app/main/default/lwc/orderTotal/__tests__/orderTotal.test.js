import { createElement } from 'lwc';
import OrderTotal from 'c/orderTotal';

function shown(lines) {
    const element = createElement('c-order-total', { is: OrderTotal });
    element.lines = lines;
    document.body.appendChild(element);
    return element.shadowRoot.querySelector('.total').textContent;
}

describe('c-order-total', () => {
    afterEach(() => {
        document.body.replaceChildren();
    });

    it('adds up price times quantity', () => {
        expect(shown([{ price: 2, quantity: 3 }, { price: 5, quantity: 1 }])).toBe('11');
    });
});
